from faregate.explanations.explanation import Explanation as Explanation
from faregate.explanations.explanation import explain as explain

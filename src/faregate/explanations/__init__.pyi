from faregate.explanations.differences import Difference as Difference
from faregate.explanations.differences import StepDifference as StepDifference
from faregate.explanations.differences import difference as difference
from faregate.explanations.explanation import Explanation as Explanation
from faregate.explanations.explanation import explain as explain

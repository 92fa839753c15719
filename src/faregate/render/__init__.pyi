from faregate.render.values import html as html
from faregate.render.values import receipt as receipt
from faregate.render.values import text as text

from faregate.list_prices.price import ListPriceQuery as ListPriceQuery
from faregate.list_prices.price import list_price as list_price
from faregate.list_prices.rule_index import DayPrice as DayPrice
from faregate.list_prices.steps import ListPrice as ListPrice

from faregate.gate.price import GatePrice as GatePrice
from faregate.gate.price import gate_price as gate_price
from faregate.gate.requests import GateRequest as GateRequest
from faregate.gate.requests import Moment as Moment

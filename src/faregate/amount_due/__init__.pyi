from faregate.amount_due.donation import donation_amount as donation_amount
from faregate.amount_due.vouchers import Redemption as Redemption
from faregate.amount_due.vouchers import Voucher as Voucher
from faregate.amount_due.vouchers import redeem as redeem

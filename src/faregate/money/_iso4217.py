"""The tables of ISO 4217 as of 2026-01-01 (amendment 180), published by its maintenance agency.

They follow the layout of the standard: list one (active codes and their minor units) and list three
(withdrawn codes). ``faregate.money.currency`` interprets them.
"""

MINOR_UNITS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    2: """
        AED AFN ALL AMD AOA ARS AUD AWG AZN
        BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
        CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK
        DKK DOP DZD
        EGP ERN ETB EUR
        FJD FKP
        GBP GEL GHS GIP GMD GTQ GYD
        HKD HNL HTG HUF
        IDR ILS INR IRR
        JMD
        KES KGS KHR KPW KYD KZT
        LAK LBP LKR LRD LSL
        MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
        NAD NGN NIO NOK NPR NZD
        PAB PEN PGK PHP PKR PLN
        QAR
        RON RSD RUB
        SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
        THB TJS TMT TOP TRY TTD TWD TZS
        UAH USD USN UYU UZS
        VED VES
        WST
        XAD XCD XCG
        YER
        ZAR ZMW ZWG
    """,
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
"""List one: codes by decimals of the minor unit, including the funds BOV CHE CHW CLF COU MXV USN UYI."""

WITHOUT_MINOR_UNIT = "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX"
"""List one: codes with minor unit "N.A." (metals, bond units, units of account, testing, no currency)."""

WITHDRAWN = """
ADP - 2003-07 Andorran Peseta
AFA - 2003-01 Afghani
ALK - 1989-12 Old Lek
ANG 2 2025-03 Netherlands Antillean Guilder
AOK - 1991-03 Kwanza
AON - 2000-02 New Kwanza
AOR - 2000-02 Kwanza Reajustado
ARA - 1992-01 Austral
ARP - 1985-07 Peso Argentino
ARY - 1989/1990 Peso
ATS - 2002-03 Schilling
AYM - 2005-10 Azerbaijan Manat
AZM - 2005-12 Azerbaijanian Manat
BAD - 1998-07 Dinar
BEC - 1990-03 Convertible Franc
BEF - 2002-03 Belgian Franc
BEL - 1990-03 Financial Franc
BGJ - 1989/1990 Lev A/52
BGK - 1989/1990 Lev A/62
BGL - 2003-11 Lev
BGN 2 2026-01 Bulgarian Lev
BOP - 1987-02 Peso boliviano
BRB - 1986-03 Cruzeiro
BRC - 1989-02 Cruzado
BRE - 1993-03 Cruzeiro
BRN - 1990-03 New Cruzado
BRR - 1994-07 Cruzeiro Real
BUK - 1990-02 Kyat
BYB - 2001-01 Belarusian Ruble
BYR 0 2017-01 Belarusian Ruble
CHC - 2004-11 WIR Franc (for electronic)
CSD - 2006-10 Serbian Dinar
CSJ - 1989/1990 Krona A/53
CSK - 1993-03 Koruna
CUC 2 2021-06 Peso Convertible
CYP - 2008-01 Cyprus Pound
DDM - 1990-07/1990-09 Mark der DDR
DEM - 2002-03 Deutsche Mark
ECS - 2000-09 Sucre
ECV - 2000-09 Unidad de Valor Constante (UVC)
EEK - 2011-01 Kroon
ESA - 1978/1981 Spanish Peseta
ESB - 1994-12 "A" Account (convertible Peseta Account)
ESP - 2002-03 Spanish Peseta
FIM - 2002-03 Markka
FRF - 2002-03 French Franc
GEK - 1995-10 Georgian Coupon
GHC - 2008-01 Cedi
GHP - 2007-06 Ghana Cedi
GNE - 1989-12 Syli
GNS - 1986-02 Syli
GQE - 1986-06 Ekwele
GRD - 2002-03 Drachma
GWE - 1978/1981 Guinea Escudo
GWP - 1997-05 Guinea-Bissau Peso
HRD - 1995-01 Croatian Dinar
HRK 2 2023-01 Kuna
IEP - 2002-03 Irish Pound
ILP - 1978/1981 Pound
ILR - 1989/1990 Old Shekel
ISJ - 1989/1990 Old Krona
ITL - 2002-03 Italian Lira
LAJ - 1979-12 Pathet Lao Kip
LSM - 1985-05 Loti
LTL 2 2014-12 Lithuanian Litas
LTT - 1993-07 Talonas
LUC - 1990-03 Luxembourg Convertible Franc
LUF - 2002-03 Luxembourg Franc
LUL - 1990-03 Luxembourg Financial Franc
LVL 2 2014-01 Latvian Lats
LVR - 1994-12 Latvian Ruble
MGF - 2004-12 Malagasy Franc
MLF - 1984-11 Mali Franc
MRO 2 2017-12 Ouguiya
MTL - 2008-01 Maltese Lira
MTP - 1983-06 Maltese Pound
MVQ - 1989-12 Maldive Rupee
MXP - 1993-01 Mexican Peso
MZE - 1978/1981 Mozambique Escudo
MZM - 2006-06 Mozambique Metical
NIC - 1990-10 Cordoba
NLG - 2002-03 Netherlands Guilder
PEH - 1989/1990 Sol
PEI - 1991-07 Inti
PES - 1986-02 Sol
PLZ - 1997-01 Zloty
PTE - 2002-03 Portuguese Escudo
RHD - 1978/1981 Rhodesian Dollar
ROK - 1989/1990 Leu A/52
ROL - 2005-06 Old Leu
RUR - 2004-01 Russian Ruble
SDD - 2007-07 Sudanese Dinar
SDP - 1998-06 Sudanese Pound
SIT - 2007-01 Tolar
SKK - 2009-01 Slovak Koruna
SLL 2 2023-12 Leone
SRG - 2003-12 Surinam Guilder
STD 2 2017-12 Dobra
SUR - 1990-12 Rouble
TJR - 2001-04 Tajik Ruble
TMM - 2009-01 Turkmenistan Manat
TPE - 2002-11 Timor Escudo
TRL - 2005-12 Old Turkish Lira
UAK - 1996-09 Karbovanet
UGS - 1987-05 Uganda Shilling
UGW - 1989/1990 Old Shilling
USS 2 2014-03 US Dollar (Same day)
UYN - 1989-12 Old Uruguay Peso
UYP - 1993-03 Uruguayan Peso
VEB - 2008-01 Bolivar
VEF 2 2018-08 Bolívar
VNC - 1989/1990 Old Dong
XEU - 1999-01 European Currency Unit (E.C.U)
XFO - 2006-10 Gold-Franc
XFU - 2013-11 UIC-Franc
XRE - 1999-11 RINET Funds Code
YDD - 1991-09 Yemeni Dinar
YUD - 1990-01 New Yugoslavian Dinar
YUM - 2003-07 New Dinar
YUN - 1995-11 Yugoslavian Dinar
ZAL - 1995-03 Financial Rand
ZMK 2 2012-12 Zambian Kwacha
ZRN - 1999-06 New Zaire
ZRZ - 1994-02 Zaire
ZWC - 1989-12 Rhodesian Dollar
ZWD - 2008-08 Zimbabwe Dollar
ZWL 2 2024-09 Zimbabwe Dollar
ZWN - 2006-09 Zimbabwe Dollar (new)
ZWR - 2009-06 Zimbabwe Dollar
"""
"""List three, one row per code: code, decimals, month of withdrawal, name.

If a code has several rows, only the latest is kept. A span ("1989 to 1990") is written as in ISO 8601. Eight
codes that are still active and are listed only under a former name or country are left out: EUR IDR MWK PEN
RON SDG SZL TRY. List three has no minor units. The decimals are those of the editions of list one, from
December 2012 onwards, that still had the code; "-" stands for codes withdrawn earlier or without a minor
unit.
"""

from faregate.audit.findings import Finding as Finding
from faregate.audit.findings import FindingKind as FindingKind
from faregate.audit.search import audit as audit

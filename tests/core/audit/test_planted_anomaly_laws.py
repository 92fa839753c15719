"""The audit on random catalogues: every planted anomaly is found, and clean catalogues have no findings."""

from random import Random

import pytest

from faregate.audit import Finding, audit
from faregate.catalogue.catalogue import Catalogue
from support.shops.planted_catalogues import PLANTS, clean_catalogue
from support.shops.small_shop import NOW

pytestmark = pytest.mark.slow

PLANTED, CLEAN, EVERY = range(6), range(2), range(200)


def audited(catalogue: Catalogue, seed: int) -> dict[str, Finding]:
    findings = audit(catalogue, at=NOW, draw=Random(seed).randrange, baskets=400)
    return {finding.identifier: finding for finding in findings}


def check_planted(seed: int) -> None:
    random = Random(seed)
    plant = PLANTS[seed % len(PLANTS)]
    catalogue, identifier = plant(clean_catalogue(random), random)

    assert identifier in audited(catalogue, seed), plant.__name__


@pytest.mark.parametrize("seed", PLANTED)
def test_audit_finds_a_planted_anomaly(seed: int) -> None:
    check_planted(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", EVERY[len(PLANTED) :])
def test_audit_finds_every_planted_anomaly(seed: int) -> None:
    check_planted(seed)


@pytest.mark.parametrize("seed", CLEAN)
def test_clean_catalogue_has_no_findings(seed: int) -> None:
    assert audited(clean_catalogue(Random(seed)), seed) == {}


@pytest.mark.long
@pytest.mark.parametrize("seed", EVERY[len(CLEAN) :])
def test_no_clean_catalogue_has_findings(seed: int) -> None:
    assert audited(clean_catalogue(Random(seed)), seed) == {}

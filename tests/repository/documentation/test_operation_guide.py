"""The operation guide and the list of threats match the code."""

import re
from pathlib import Path

import pytest

from faregate_cli.serve.command import serve
from faregate_http.admission.decisions import Load
from faregate_http.options import AdmissionLimits
from faregate_http.protocol.observed import Observed
from faregate_server.database_load import DatabaseLoad
from faregate_server.telemetry.metrics import Metrics, Places

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs/guides/operation.md").read_text()
THREATS = (ROOT / "docs/threats.md").read_text()


def cells(text: str, first: str) -> list[list[str]]:
    """Return the cells of the rows whose first cell begins with *first*, without code marks."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith(f"| `{first}")]
    return [[cell.strip().strip("`") for cell in row] for row in rows]


def test_the_guide_lists_every_setting_of_the_service() -> None:
    declared = {
        str(parameter.envvar): (max(parameter.opts, key=len), parameter.to_info_dict()["default"])
        for parameter in serve.params
        if parameter.envvar
    }

    listed = {row[0]: row[1:] for row in cells(GUIDE, "FAREGATE_")}

    assert listed.keys() - declared.keys() == {"FAREGATE_TOKEN_SECRET"}
    assert declared.keys() <= listed.keys()
    for variable, (option, default) in declared.items():
        assert listed[variable][0] == option
        if default not in {None, False}:
            shown = "on" if default is True else str(default)
            assert listed[variable][1] == shown


def test_the_guide_lists_every_metric() -> None:
    metrics = Metrics()
    request = Observed("some-request")
    request.problem = "sold-out"
    metrics.answered(request, 0.1)
    metrics.worked("payments", succeeded=True)
    metrics.deleted("checkouts", 1)
    metrics.places = (Places("pool", 1, 2),)
    metrics.load = Load(AdmissionLimits())
    metrics.database = DatabaseLoad(1, 10, 0)

    text = metrics.text("")[0].decode()

    counted = {
        line.split()[2]: set(re.findall(rf"^{line.split()[2]}(?:_count)?{{(.*?)}}", text, re.MULTILINE))
        for line in text.splitlines()
        if line.startswith("# TYPE faregate_")
    }
    listed = {row[0]: re.findall(r"\w+", row[1]) for row in cells(GUIDE, "faregate_")}
    assert listed.keys() == counted.keys()
    for name, labels in listed.items():
        written = {label for labelled in counted[name] for label in re.findall(r"(\w+)=", labelled)}
        assert written == set(labels)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"faregate_\w+(?=[{\[)]| <)", GUIDE))))
def test_alerts_use_existing_metrics(name: str) -> None:
    listed = {row[0] for row in cells(GUIDE, "faregate_")}

    assert name.removesuffix("_bucket") in listed


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:tests|requirements)[\w/.*]*)`", THREATS))))
def test_every_path_in_the_list_of_threats_exists(path: str) -> None:
    assert any(ROOT.glob(path))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(test_[\w*]+\.py)`", THREATS))))
def test_every_test_file_in_the_list_of_threats_exists(name: str) -> None:
    assert any((ROOT / "tests").rglob(name))

"""`convert` for scripts."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from exactcover.app.cli.command_table import exactcover


def test_convert_for_scripts(tmp_path: Path) -> None:
    result = CliRunner().invoke(exactcover, ["convert", "queens_8", "--to", "dlx", "--json"])
    record = json.loads(result.stdout)
    assert (record["puzzle"], record["format"]) == ("generic/queens_8", "dlx")
    file = tmp_path / "queens.dlx"
    result = CliRunner().invoke(exactcover, ["convert", "queens_8", "-o", str(file), "--json"])
    assert json.loads(result.stdout)["output"] == str(file)
    assert file.read_text() == record["text"]

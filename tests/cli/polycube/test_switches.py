"""polycube's command lines, and the strategies that they stand for."""

from __future__ import annotations

import re

import pytest

from exactcover.cli.commands.polycube_switches import read_switches
from exactcover.errors import StrategyError

FILA_ARTICLE = """
P1: -i -q -r pentominoes_10x6 -> redundancy; dlx:s
P2: -i -q -r -V pentominoes_10x6 -> redundancy; volume; dlx:s
P3: -i -q -r -V -o f=11 pentominoes_10x6 -> redundancy; volume; dlx:s; dlx:f@11
P4: -i -q -r -V -o f=11 -f 11 pentominoes_10x6 -> redundancy; volume; dlx:s; fila:f@11 nof=0
P5: -i -q -r -V -o f=11 -f 11 -n pentominoes_10x6
  -> redundancy; volume; dlx:s; fila:f@11 nof=0
OP1: -i -q -r pentominoes_1s_18x5 -> redundancy; dlx:s
OP2: -i -q -r -V pentominoes_1s_18x5 -> redundancy; volume; dlx:s
OP3: -i -q -r -V -of=17 -f17 pentominoes_1s_18x5 -> redundancy; volume; dlx:s; fila:f@17 nof=0
OP4: -i -q -r -V -of=17 -f17 -n pentominoes_1s_18x5
  -> redundancy; volume; dlx:s; fila:f@17 nof=0
TC1: -i -q -rL tetriscube -> redundancy=L; dlx:s
TC2: -i -q -rL -f11 -oe=11 tetriscube -> redundancy=L; dlx:s; fila:e@11 nof=0
TC3: -i -q -rL -f11 -oe=11:f=3 tetriscube -> redundancy=L; dlx:s; fila:e@11 nof=0; fila:f@3 nof=0
TC4: -i -q -r=L -f=11 -o=e=11:f=3 -n tetriscube
  -> redundancy=L; dlx:s; fila:e@11 nof=0; fila:f@3 nof=0
PT1: -i -q -r PT12 -> redundancy; dlx:s
PT2: -i -q -r -V13 PT12 -> redundancy; volume@13; dlx:s
PT3: -i -q -r -V13 -f13 -oe=13 PT12 -> redundancy; volume@13; dlx:s; fila:e@13 nof=0
PT4: -iqr -V=13 -f=13 -oe=13:f=3 PT12
  -> redundancy; volume@13; dlx:s; fila:e@13 nof=0; fila:f@3 nof=0
PT5: --info --quiet --redundancyFilter --volumeFilter=13 --fila 13 --order e=13:f=3 --nof PT12
  -> redundancy; volume@13; dlx:s; fila:e@13 nof=0; fila:f@3 nof=0
"""
"""The command lines of the article on FILA. The number after the -f of OP3, missing there, is
that of its text. -n has no effect here."""

ARTICLE = {
    name: (line, strategy)
    for name, line, strategy in re.findall(r"(.+?): (.*?)\s+-> (.*)", FILA_ARTICLE)
}


@pytest.mark.parametrize(("line", "strategy"), ARTICLE.values(), ids=ARTICLE.keys())
def test_the_command_lines_of_the_article(line: str, strategy: str) -> None:
    switches = read_switches(line.split())
    assert str(switches.strategy) == strategy
    assert switches.counted == "rotations"


@pytest.mark.parametrize(
    ("line", "strategy", "counted"),
    [
        ("", "dlx:s", "all"),
        ("-R", "redundancy first; dlx:s", "rotations"),
        ("-R -rX", "redundancy=X first; dlx:s", "rotations"),
        ("-o x:s=20 -f10", "dlx:x; dlx:s@20; fila:s@10 nof=0", "all"),
        ("-o e=20 -f10", "dlx:s; fila:e@10 nof=0", "all"),
        ("-o R@1,2 -f3 -n", "dlx:R@1,2; fila:R@1,2@3 nof=0", "all"),
        ("-P -P9 -V -F -F4", "volume; parity; fit; parity@9; fit@4; dlx:s", "all"),
        ("-g1 --format=S -r -V4", "redundancy first; dlx:s", "rotations"),
    ],
)
def test_more_command_lines(line: str, strategy: str, counted: str) -> None:
    switches = read_switches(line.split())
    assert (str(switches.strategy), switches.counted) == (strategy, counted)


@pytest.mark.parametrize(
    ("line", "given", "files"),
    [
        ("-", {}, ["-"]),
        ("a -i b", {"stats": [""]}, ["a", "b"]),
        ("-r L", {"redundancy": [""]}, ["L"]),
        ("-rL -- -a", {"redundancy": ["L"]}, ["-a"]),
        ("-V 13 -V a", {"volume": ["13", ""]}, ["a"]),
        ("-t -80", {"trace": ["-80"]}, []),
        ("-re11", {"redundancy": ["e11"]}, []),
        ("-R --trace=2", {"first": [""], "trace": ["2"]}, []),
    ],
)
def test_what_words_mean(line: str, given: dict[str, list[str]], files: list[str]) -> None:
    switches = read_switches(line.split())
    assert (switches.given, switches.files) == (given, files)


@pytest.mark.parametrize(
    ("said", "form"), [("S", ("S", "L")), ("CB", ("B", "C")), ("FC", ("F", "C")), ("C", ("F", "C"))]
)
def test_formats(said: str, form: tuple[str, str]) -> None:
    assert read_switches([f"--format={said}"]).format == form


def test_switches_that_have_no_effect() -> None:
    switches = read_switches(["-inp3", "-v", "-v9", "--nof"])
    assert switches.given == {"stats": [""], "": ["-n", "-p", "-v", "-v", "-n"]}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("-iy", "there is no switch -y"),
        ("--uniqe", "there is no switch --uniqe: --help lists them"),
        ("-g1 -g2", "give -g once"),
        ("-oq=4", "'q'"),
        ("--format=X", "write --format=B|F|S[L|C]"),
        ("-f", "write -f=N"),
    ],
)
def test_what_is_refused(line: str, says: str) -> None:
    with pytest.raises(StrategyError) as error:
        _ = read_switches(line.split()).strategy
    assert says in str(error.value)

"""polycube's command lines, and the strategies that they stand for."""

from __future__ import annotations

import re

import pytest

from exactcover.cli.commands.polycube.switches import (
    PolycubeSwitches,
    read_switches,
    translate,
)
from exactcover.errors import StrategyError

FILA_ARTICLE = """
P1: -i -q -r pentominoes_10x6 -> redundancy; dlx:s
P2: -i -q -r -V pentominoes_10x6 -> redundancy; volume; dlx:s
P3: -i -q -r -V -o f=11 pentominoes_10x6 -> redundancy; volume; dlx:s; dlx:f@11
P4: -i -q -r -V -o f=11 -f 11 pentominoes_10x6 -> redundancy; volume; dlx:s; fila:f@11 nof=0
P5: -i -q -r -V -o f=11 -f 11 -n pentominoes_10x6
  -> redundancy; volume; dlx:s; fila:f@11 nof=adjacent
OP1: -i -q -r pentominoes_1s_18x5 -> redundancy; dlx:s
OP2: -i -q -r -V pentominoes_1s_18x5 -> redundancy; volume; dlx:s
OP3: -i -q -r -V -of=17 -f pentominoes_1s_18x5 -> redundancy; volume; dlx:s; fila:f@17 nof=0
OP4: -i -q -r -V -of=17 -f17 -n pentominoes_1s_18x5
  -> redundancy; volume; dlx:s; fila:f@17 nof=adjacent
TC1: -i -q -rL tetriscube -> redundancy=L; dlx:s
TC2: -i -q -rL -f11 -oe=11 tetriscube -> redundancy=L; dlx:s; fila:e@11 nof=0
TC3: -i -q -rL -f11 -oe=11:f=3 tetriscube -> redundancy=L; dlx:s; fila:e@11 nof=0; fila:f@3 nof=0
TC4: -i -q -r=L -f=11 -o=e=11:f=3 -n tetriscube
  -> redundancy=L; dlx:s; fila:e@11 nof=adjacent; fila:f@3 nof=adjacent
PT1: -i -q -r PT12 -> redundancy; dlx:s
PT2: -i -q -r -V13 PT12 -> redundancy; volume@13; dlx:s
PT3: -i -q -r -V13 -f13 -oe=13 PT12 -> redundancy; volume@13; dlx:s; fila:e@13 nof=0
PT4: -iqr -V=13 -f=13 -oe=13:f=3 PT12
  -> redundancy; volume@13; dlx:s; fila:e@13 nof=0; fila:f@3 nof=0
PT5: --info --quiet --redundancyFilter --volumeFilter=13 --fila 13 --order e=13:f=3 --nof PT12
  -> redundancy; volume@13; dlx:s; fila:e@13 nof=adjacent; fila:f@3 nof=adjacent
"""
"""The command lines of the article on FILA. The number after the -f of OP3 is missing there; its
text says 17."""

OLD_ARTICLE = """
P-1: --dialect=1.2 -> dlx:s
P-2: -m12 -> dlx:s; fila:s@12 nof=0
P-3: -e12 -> dlx:s; fila:e@12 nof=0
P-4: -b12 -> dlx:s; fila:f@12 nof=0
P-5: --dialect 1.2 -r -> redundancy; dlx:s
P-6: -r -m12 -> redundancy; dlx:s; fila:s@12 nof=0
P-9: -r -m11 -> redundancy; dlx:s; fila:s@11 nof=0
P-11: -b11 -r -> redundancy; dlx:s; fila:f@11 nof=0
P-12: -r -b11 -p -> redundancy; parity-trigger@12; dlx:s; fila:f@11 nof=0
P-13: -r -b11 -V12 -> redundancy; volume@12; dlx:s; fila:f@11 nof=0
OP-1: -r -b12 -> redundancy; dlx:s; fila:f@12 nof=0
OP-2: -r -V18 -b 12 -> redundancy; volume@18; dlx:s; fila:f@12 nof=0
TC-12: -r -m11 -e6 -b4 -> redundancy; dlx:s; fila:s@11 nof=0; fila:e@6 nof=0; fila:f@4 nof=0
TC-13: -r -b4 -e6 -m11 -p
  -> redundancy; parity-trigger@12; dlx:s; fila:s@11 nof=0; fila:e@6 nof=0; fila:f@4 nof=0
TC, a comment: -m11 -e6 -b4 -r L -i -- tetriscube
  -> redundancy=L; dlx:s; fila:s@11 nof=0; fila:e@6 nof=0; fila:f@4 nof=0
HP-1: --dialect=1.2 -r -o x:f=0 -s 10000,16,1 -> redundancy; dlx:x; dlx:s@0
HP-11: --dialect=1.2 -r -o x:f=20 -> redundancy; dlx:x; dlx:s@20
HBD-2: --dialect=1.2 -o a@160:f=15 -> dlx:a@160; dlx:s@15
HBD-3: --dialect=1.2 -o a@160:f=15 -p -> parity-trigger; dlx:a@160; dlx:s@15
HBD-4: --dialect=1.2 -o a@160:f=15 -P35 -> parity@35; dlx:a@160; dlx:s@15
HBD-5: --dialect=1.2 -oa@160:f=15 -P35 -V35 -> volume@35; parity@35; dlx:a@160; dlx:s@15
heptominoes, a comment: --dialect 1.2 -V -p -oY:f=20 -t-80
  -> volume; parity-trigger; dlx:Y; dlx:s@20
"""
"""The runs of the article on polycube 1.2.1, with two comments below it."""

ARTICLES = {
    f"{dialect} {name}": (dialect, line, strategy)
    for dialect, table in (("2.0", FILA_ARTICLE), ("1.2", OLD_ARTICLE))
    for name, line, strategy in re.findall(r"(.+?): (.*?)\s+-> (.*)", table)
}


@pytest.mark.parametrize(("dialect", "line", "strategy"), ARTICLES.values(), ids=ARTICLES.keys())
def test_the_command_lines_of_the_articles(dialect: str, line: str, strategy: str) -> None:
    switches = read_switches(line.split())
    assert switches.dialect == dialect
    translation = translate(switches)
    assert str(translation.strategy) == strategy
    assert translation.counted == ("rotations" if "redundancy" in strategy else "all")


@pytest.mark.parametrize(
    ("line", "strategy", "counted"),
    [
        ("", "dlx:s", "all"),
        ("-u", "dlx:s", "rotations"),
        ("-R", "redundancy first; dlx:s", "rotations"),
        ("-R -rX", "redundancy=X first; dlx:s", "rotations"),
        ("-f5", "dlx:s; fila:s@5 nof=0", "all"),
        ("-o f -o s=4", "dlx:f; dlx:s@4", "all"),
        ("-o x:s=20 -f10", "dlx:x; dlx:s@20; fila:s@10 nof=0", "all"),
        ("-o x:s=5 -f10", "dlx:x; fila:x@10 nof=0; fila:s@5 nof=0", "all"),
        ("-o R@1,2 -f3 -n", "dlx:R@1,2; fila:R@1,2@3 nof=adjacent", "all"),
        ("-P -P9 -V -F -F4", "volume; parity; fit; parity@9; fit@4; dlx:s", "all"),
        ("-p3 -v=5", "parity-trigger@3; volume-trigger@5; dlx:s", "all"),
        ("-of:x=3 -e5", "dlx:s; fila:e@5 nof=0", "all"),
    ],
)
def test_more_command_lines(line: str, strategy: str, counted: str) -> None:
    translation = translate(read_switches(line.split()))
    assert (str(translation.strategy), translation.counted) == (strategy, counted)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("-", PolycubeSwitches(files=("-",))),
        ("a -i b", PolycubeSwitches(info=True, files=("a", "b"))),
        ("-r L", PolycubeSwitches(redundancy="", files=("L",))),
        ("-r L -- a", PolycubeSwitches(redundancy="L", files=("a",))),
        ("-V 13 -V a", PolycubeSwitches(volume=(13, None), files=("a",))),
        ("-t -80", PolycubeSwitches(trace=-80)),
        ("-s 10,4,7", PolycubeSwitches(sampling=(10, 4, 7))),
        ("-fSC", PolycubeSwitches(dialect="1.2", format=("S", "C"))),
        ("-f C", PolycubeSwitches(fila=-1, files=("C",))),
        ("-re11", PolycubeSwitches(redundancy="e11")),
        ("-R --trace=2", PolycubeSwitches(first=True, redundancy="", trace=2)),
    ],
)
def test_what_words_mean(line: str, expected: PolycubeSwitches) -> None:
    assert read_switches(line.split()) == expected


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("-m11 -n", "-m11 means polycube 1.2.1, -n polycube 2.0"),
        ("-fS -f11", "-fS means polycube 1.2.1, -f11 polycube 2.0"),
        ("--dialect=1.2 -n", "--dialect=1.2 means polycube 1.2.1, -n polycube 2.0"),
        ("-iy", "there is no switch -y"),
        ("--uniqe", "there is no switch --uniqe: --help lists them"),
        ("--nof=3", "write -n, without argument: Neighbour occ"),
        ("-g", "write -g=N"),
        ("-s 10", "write -s=T,R[,S]"),
        ("-s 0,4,1", "at least one trial"),
        ("-oq=4", "as in x:s=20; H is f, s, e"),
        ("--format=X", "write --format=B|F|S[L|C]"),
        ("--dialect=3", "write --dialect=2.0|1.2"),
        ("-of=4:x=4", "two heuristics from 4 pieces on"),
        ("-f", "say from how many"),
        ("--redundancyFilter=a;b", "cannot name a piece"),
    ],
)
def test_what_is_refused(line: str, says: str) -> None:
    with pytest.raises(StrategyError) as error:
        translate(read_switches(line.split()))
    assert says in str(error.value)

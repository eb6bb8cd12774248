"""The study file: what it refuses, and how it says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.core.errors import FileProblem, StudyProblem
from askance.study.file import parse_study, read_study
from askance.study.lines import lines_of

GOOD = """\
[study]
name = "mine"

[models.small]
embedder = "fake"

[domains.tasks]
collection = "some-folder"
tiers = ["easy", "hard"]
main_tier = "hard"

[[domains.tasks.systems]]
name = "bm25"
retriever = "lexical"
stemmer = "porter"

[[domains.tasks.systems]]
name = "small"
retriever = "dense"
model = "small"

[[domains.tasks.rerankers]]
name = "control"
reranker = "lexical"
"""


def test_a_good_file_says_what_it_says() -> None:
    study = parse_study(GOOD, "mine.toml")
    assert study.study.name == "mine"
    assert [system.name for system in study.domains["tasks"].systems] == ["bm25", "small"]
    assert study.domains["tasks"].systems[0].settings == {"stemmer": "porter"}
    assert study.domains["tasks"].rerankers[0].first == 10


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('name = "mine"', 'nmae = "mine"', 2, "Did you mean 'name'?"),
        ('embedder = "fake"', 'embedder = "fakes"', 5, "there is no embedder 'fakes'"),
        ('tiers = ["easy", "hard"]', 'teirs = ["easy"]', 9, "Did you mean 'tiers'?"),
        ('tiers = ["easy", "hard"]', "tiers = 3", 9, "domains.tasks.tiers"),
        ('retriever = "lexical"', 'retriever = "lexicall"', 14, "Did you mean 'lexical'?"),
        ('stemmer = "porter"', 'stemer = "porter"', 15, "Did you mean 'stemmer'?"),
        ('model = "small"', 'model = "smal"', 20, "Did you mean 'small'?"),
        ('model = "small"', "", 17, "names no model"),
        ('reranker = "lexical"', 'reranker = "lexical"\nfirst = 1', 25, "first"),
        ('reranker = "lexical"', 'reranker = "lexical"\nover = ["nobody"]', 7, "'nobody'"),
        ('name = "control"', 'name = "bm25"', 7, "'bm25' is given to two"),
        ('name = "mine"', 'name = "my study"', 2, "is no name"),
        ('collection = "some-folder"', "", 7, "'domains.tasks.collection' is missing"),
        ('collection = "some-folder"', 'collection = ""', 8, "at least 1 character"),
        ('name = "mine"', f'name = "{"n" * 81}"', 2, "at most 80"),
        ('name = "mine"', f'name = "mine"\ndepth = 1{"0" * 30}', 3, "less than or equal to 999999999"),
        ('reranker = "lexical"', f'reranker = "lexical"\nfirst = 1{"0" * 30}', 25, "less than or equal to 999999999"),
        ('tiers = ["easy", "hard"]', 'tiers = ["easy", "easy"]', 9, "'easy' is named more than once"),
        ('main_tier = "hard"', 'measures = ["Hit"]', 10, "e.g. Hit@10"),
        ('main_tier = "hard"', 'measures = ["nDGC@10"]', 10, "Did you mean 'nDCG'?"),
        ('main_tier = "hard"', 'measures = ["Hit@1", "success@1"]', 10, "'Hit@1' is named more than once"),
        ('main_tier = "hard"', 'tokens = ["numerals"]', 10, "there is no token class 'numerals'"),
        ('main_tier = "hard"', 'tokens = ["all", "all"]', 10, "'all' is named more than once"),
        ('reranker = "lexical"', 'reranker = "lexical"\nover = ["bm25", "bm25"]', 25, "named more than once"),
    ],
)
def test_a_wrong_file_is_refused_with_line_and_nearest_key(old: str, new: str, line: int, said: str) -> None:
    assert GOOD.count(old) >= 1
    with pytest.raises(StudyProblem) as caught:
        parse_study(GOOD.replace(old, new, 1), "mine.toml")
    assert f"mine.toml:{line}: " in str(caught.value)
    assert said in str(caught.value)
    assert caught.value.exit_code == 2


def test_several_faults_are_said_at_once() -> None:
    with pytest.raises(StudyProblem) as caught:
        parse_study(GOOD.replace('name = "mine"', "").replace("tiers =", "teirs ="), "mine.toml")
    assert "'study.name' is missing" in str(caught.value)
    assert "'tiers'" in str(caught.value)


def test_broken_toml_names_the_line() -> None:
    with pytest.raises(FileProblem) as caught:
        parse_study("[study]\nname = mine\n", "mine.toml")
    assert caught.value.line == 2
    assert "name = mine" in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        'base_url = "https://me:sk-pasted@host/v1"',
        'base_url = "https://host/v1?key=sk-pasted"',
        'base_url = "https://host/v1#sk-pasted"',
        'base_url = "https://host/v1"\nkey_env = "sk-pasted"',
        'base_url = "https://host/v1"\nkey = "sk-pasted"',
    ],
)
def test_a_key_that_was_pasted_is_not_shown(line: str) -> None:
    with pytest.raises(StudyProblem, match=r"mine.toml:[678]: ") as caught:
        parse_study(GOOD.replace('embedder = "fake"', f'embedder = "endpoint"\nmodel = "m"\n{line}'), "mine.toml")
    assert "sk-pasted" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"seed = 1{'0' * 5000}", "4300 digits"),
        ("x = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("x = " + "{a = " * 5000 + "1" + "}" * 5000, "nested too deeply"),
    ],
)
def test_what_the_reader_of_toml_cannot_bear_is_said(text: str, said: str) -> None:
    with pytest.raises(FileProblem, match=said) as caught:
        parse_study(text, "mine.toml")
    assert caught.value.remedy


def test_a_byte_order_mark_and_other_line_ends_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(GOOD.replace("\n", "\r\n").encode("utf-8-sig"))
    assert read_study(tmp_path / "mine.toml").sha256 == parse_study(GOOD, "mine.toml").sha256


def test_a_byte_that_is_not_utf8_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(GOOD.replace("mine", "méine").encode("latin-1"))
    with pytest.raises(FileProblem, match="0xe9 is not UTF-8") as caught:
        read_study(tmp_path / "mine.toml")
    assert caught.value.line == 2


def test_a_missing_file_says_how_to_begin(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="askance study init"):
        read_study(tmp_path / "none.toml")


def test_comments_and_order_of_tables_do_not_change_the_hash() -> None:
    assert parse_study(GOOD, "a").sha256 == parse_study("# a comment\n" + GOOD, "b").sha256
    assert parse_study(GOOD, "a").sha256 != parse_study(GOOD.replace("porter", "english"), "a").sha256


def test_lines_of_counts_arrays_of_tables() -> None:
    lines = lines_of(GOOD)
    assert lines[("study", "name")] == 2
    assert lines[("domains", "tasks", "systems", 0)] == 12
    assert lines[("domains", "tasks", "systems", 1, "model")] == 20

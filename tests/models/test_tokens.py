from __future__ import annotations

from pathlib import Path

import pytest
from tests.models.conftest import write_tokenizer

from askance.core.errors import DataProblem, FileProblem
from askance.models.tokens import TextTokenizer


@pytest.fixture
def tokenizer(tmp_path: Path) -> TextTokenizer:
    write_tokenizer(tmp_path / "tokenizer.json", cut=8, pad=8)
    return TextTokenizer(tmp_path / "tokenizer.json", 12)


def test_the_saved_cut_and_padding_do_not_count(tokenizer: TextTokenizer) -> None:
    tokens = tokenizer.encode(["a b c", "", "a " * 50])
    assert tokens.ids.shape == (3, 12)
    assert tokens.mask.sum(axis=1).tolist() == [5, 2, 12]
    assert tokens.ids[0].tolist() == [2, 4, 5, 6, 3, *[0] * 7]
    assert tokens.ids[2].tolist() == [2, *[4] * 10, 3]
    assert tokens.types.tolist() == [[0] * 12] * 3
    assert tokenizer.encode(["a b", "c"]).ids.shape == (2, 4)


def test_counts_are_those_before_the_cut(tokenizer: TextTokenizer) -> None:
    texts = ["a b c", "", "a " * 50] * 200
    assert tokenizer.counts(texts).tolist() == [5, 2, 52] * 200
    assert tokenizer.counts([]).tolist() == []


def test_half_a_surrogate_pair_is_named(tokenizer: TextTokenizer) -> None:
    with pytest.raises(DataProblem, match=r"text 2 holds the lone surrogate '\\ud83d' at character 3"):
        tokenizer.encode(["é", "a \ud83d b"])
    with pytest.raises(DataProblem, match="text 301 holds"):
        tokenizer.counts([*["a"] * 300, "\udc00"])


def test_no_tokenizer(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="cannot be read"):
        TextTokenizer(tmp_path / "tokenizer.json", 8)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(FileProblem, match="is no tokenizer"):
        TextTokenizer(tmp_path / "tokenizer.json", 8)

"""Rerankers under probe, against what they are without one, and against corpora in which a document was replaced."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.diagnose.probe.fakes import OBJECTS, PLACES, VERBS, Reads, household

from askance.core.errors import BadInput
from askance.core.progress import Silent
from askance.data.collection import Documents
from askance.data.ids import Ids
from askance.diagnose.probe.bill import Outcome
from askance.diagnose.probe.documents import Firsts, document_outcomes
from askance.diagnose.probe.edits import Edit, Edits
from askance.diagnose.probe.probe import ProbeSettings, probe
from askance.diagnose.probe.probed import RetrieverProbed
from askance.diagnose.probe.reranked import RerankedProbed
from askance.retrieve.retriever import RetrievalTask

COLLECTION = household()
EVERY = len(COLLECTION.documents)
WORDS = [*VERBS, *OBJECTS, *PLACES]


def lexical(over: Reads | RetrieverProbed, first: int) -> RerankedProbed:
    return RerankedProbed("r", "reranked", over, "lexical", {}, first)


def task(texts: list[str], documents: list[str]) -> RetrievalTask:
    return RetrievalTask(
        queries=Ids(f"q{at}" for at in range(len(texts))),
        query_texts=texts,
        documents=Ids(f"d{at}" for at in range(len(documents))),
        document_texts=documents,
        depth=len(documents),
    )


def test_one_that_moves_nothing_reads_what_is_below_it() -> None:
    """There is no number in these texts, so a signature of numbers agrees everywhere."""
    below = Reads("below", WORDS)
    above = RerankedProbed("above", "above", below, "signature", {"tokens": "numbers"}, 20)
    for side in ("queries", "documents"):
        settings = ProbeSettings(side="queries" if side == "queries" else "documents", documents=20)
        one, two = probe(COLLECTION, [below, above], settings).systems
        assert [(line.name, line.vanished, line.rank, line.first_kept) for line in one.bill] == [
            (line.name, line.vanished, line.rank, line.first_kept) for line in two.bill
        ]
        assert one.blind == two.blind


def test_over_a_list_that_is_always_the_same_the_reranker_is_what_reads() -> None:
    constant = RetrieverProbed("constant", "constant", "constant")
    found = probe(COLLECTION, [constant, lexical(constant, EVERY), lexical(constant, 2)])
    plain, whole, two = ({line.name: line for line in one.bill} for one in found.systems)
    assert {line.vanished.value for line in plain.values()} == {0.0, None}
    assert (whole["structure"].vanished.value or 0) > 0.1
    assert {line.reading for line in whole.values() if line.vanished.defined} - {"cannot be told"}
    assert {line.vanished.value for line in two.values()} == {0.0, None}  # two of the first ten change places
    assert found.systems[2].another.first_kept.value != 1.0


@pytest.mark.parametrize("first", [2, 10, 40])
def test_edited_documents_stand_where_they_would_in_a_corpus_of_their_own(first: int) -> None:
    """Each edit put into its document's place, the corpus ranked and reranked again: the same rank."""
    texts = list(COLLECTION.documents.field("text"))
    asked = list(COLLECTION.queries.field("text"))[:12]
    probed = lexical(Reads("below", VERBS), first)
    base = task(asked, texts)
    firsts = Firsts.of(probed.run(base, Silent()), len(asked))
    sources = range(len(firsts.queries))

    def edited(change: dict[str, str]) -> Edits:
        said = [asked[firsts.queries[at]] for at in sources]
        return Edits([Edit(at, " ".join(change.get(word, word) for word in said[at].split()), 0.5) for at in sources])

    made = {
        "as asked": edited({}),
        "another object": edited(dict.fromkeys(OBJECTS, "rug")),
        "another place": edited({f"{place}.": "barn." for place in PLACES}),
        "another task": edited(dict.fromkeys(VERBS, "sing")),
        "all of it": edited({"clean": "heat", "some": "many", "put": "sing", **dict.fromkeys(OBJECTS, "rug")}),
    }
    found = document_outcomes(made, firsts, base, probed, 10, Silent())
    ranks = set()
    for name, edits in made.items():
        outcomes, left = found[name]
        assert not left
        for edit, outcome in zip(edits.made, outcomes, strict=True):
            document = firsts.documents[edit.source]
            changed = [*texts[:document], edit.text, *texts[document + 1 :]]
            query = firsts.queries[edit.source]
            listed, _ = probed.run(task([asked[query]], changed), Silent()).of_query(0)
            rank = int(np.flatnonzero(listed == document)[0]) + 1
            assert (outcome.rank, outcome.score) == (rank, 1.0 - rank)
            assert outcome == Outcome(
                edit.source, float(rank > 10), 0.9 if rank > 10 else 1.0, float(rank == 1), rank, 1.0 - rank
            )
            ranks.add(rank)
    assert min(ranks) == 1
    assert max(ranks) > 10
    assert first == 2 or len(ranks) > 3


def test_one_that_compares_another_field_edits_no_documents() -> None:
    titles = tuple(text.split()[0] for text in COLLECTION.documents.field("text"))
    documents = Documents(COLLECTION.documents.ids, {**COLLECTION.documents.fields, "title": titles})
    collection = replace(COLLECTION, documents=documents)
    apart = replace(lexical(Reads("below", WORDS), 10), documents=titles)
    assert {line.name for line in probe(collection, [apart]).systems[0].bill} >= {"structure"}
    with pytest.raises(BadInput, match="compares another field"):
        probe(collection, [apart], ProbeSettings(side="documents"))

"""Changes of a system that need no judgments, made from the data: its fields, its words, its documents' form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from statistics import median
from typing import Any

from askance.data.fields.fitting import learned_where_it_fits
from askance.data.fields.learned import LearnedSchema
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.composing import entry
from askance.retrieve.lexical import LexicalSettings
from askance.study.file import SystemEntry
from askance.text.classes import FUNCTION_WORDS

_STEMMERS = ("porter", "english")
_FEWEST_DISTINCT = 0.25  # share of a field's texts: fewer are labels
_FEWEST_FILLED = 0.5  # share of a field's texts that hold a word


def readable_fields(case: FixCase) -> list[str]:
    """The field that is read, then others that hold words, and not a few labels."""
    now = case.entry.embed.document
    found = [now]
    for name, column in case.collection.documents.fields.items():
        filled = sum(any(map(str.isalpha, text)) for text in column)
        if name != now and filled >= _FEWEST_FILLED * len(column) and len(set(column)) >= _FEWEST_DISTINCT * filled:
            found.append(name)
    return found


def words_in_the_middle(case: FixCase, field: str) -> float:
    """How many words the middle text of a field has."""
    return float(median(len(text.split()) for text in case.collection.documents.field(field)))


def field_changes(case: FixCase) -> Iterator[Candidate]:
    """Another field of the documents is read."""
    for field in readable_fields(case)[1:]:
        yield Candidate(f"field {field}", _reads(field), 1, field, (*case.before, case.system))


def word_changes(case: FixCase, field: str, system: SystemEntry) -> Iterator[Candidate]:
    """A lexical system reads words otherwise: one setting of the analyzer, or two."""
    if system.retriever != "lexical":
        return
    single = list(_analyses(case, system.settings))
    for chosen in [(one,) for one in single] + list(combinations(single, 2)):
        settings = dict(system.settings)
        for _, _, name, value in chosen:
            settings[name] = value
        if len({name for _, _, name, _ in chosen}) < len(chosen):
            continue
        kept = {name: value for name, value in settings.items() if value is not None}
        yield on_field(
            case,
            field,
            ", ".join(one[0] for one in chosen),
            " and ".join(one[1] for one in chosen),
            entry(system.name, "lexical", None, kept),
            len(chosen),
        )


def other_systems(case: FixCase, field: str) -> Iterator[Candidate]:
    """Another way to search: by words, by the vectors of a model, by fields and exact items where documents split."""
    system = case.system
    if system.retriever != "lexical":
        yield on_field(case, field, "words", "search by words (BM25)", entry("words", "lexical", None, {}))
    for model in case.embedders:
        if (system.retriever, system.model) != ("dense", model):
            says = f"search by {model}'s vectors"
            yield on_field(case, field, f"vectors of {model}", says, entry("near", "dense", model, {}))
    if system.retriever == "irl":
        return
    yield on_field(
        case,
        field,
        "phrases",
        "ask for the question's phrase in the text",
        entry("phrases", "irl", None, {"form": "text"}),
    )
    records = ({"text": text} for text in case.collection.documents.field(field))
    if learned_where_it_fits(LearnedSchema(), records).schema is not None:
        says = "split documents into fields (learned) and ask for exact items"
        yield on_field(case, field, "fields and exact items", says, entry("fields", "irl", None, {"form": "fields"}))


def can_view(case: FixCase) -> bool:
    """Whether the system reads texts, so that it can read views of them."""
    return case.system.retriever in ("dense", "lexical")


def view_of(case: FixCase, **more: Any) -> SystemEntry:
    """The system over views."""
    system = case.system
    settings = {"over": system.retriever, **({"inner": system.settings} if system.settings else {}), **more}
    return entry(f"{system.name}-view", "view", system.model, settings)


def on_field(case: FixCase, field: str, name: str, says: str, changed: SystemEntry, size: int = 1) -> Candidate:
    """A system in place of the one there is, over a field: another one than is read is one change more."""
    read = field != case.entry.embed.document
    return Candidate(
        f"{name} on field {field}" if read else name,
        f"{_reads(field)}, and {says}" if read else says,
        size + read,
        field,
        (*(case.before if "of" in changed.settings else ()), changed),
    )


def _reads(field: str) -> str:
    return f"read the documents' field {field!r}"


def _analyses(case: FixCase, now: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Any]]:
    """(name, in words, setting, value) of all that the lexical retriever lets one set and that is not so yet."""
    known = LexicalSettings.model_fields
    for stemmer in _STEMMERS:
        if stemmer != now.get("stemmer"):
            yield f"stems: {stemmer}", f"stem words ({stemmer})", "stemmer", stemmer
    if now.get("stemmer") is not None:
        yield "no stems", "leave words unstemmed", "stemmer", None
    if "fold_apostrophes" in known and not now.get("fold_apostrophes"):
        yield "apostrophes folded", "take the apostrophes ’ ' ʼ for one", "fold_apostrophes", True
    if "normalize" in known and not now.get("normalize"):
        yield "Unicode forms", "bring letters to one Unicode form (NFKC)", "normalize", "nfkc"
    if "stop_words" in known and not now.get("stop_words"):
        yield "no stop words", "drop function words", "stop_words", sorted(FUNCTION_WORDS)
    elif "stop_words" in known:
        yield "all words", "drop no words", "stop_words", None

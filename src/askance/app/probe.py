"""What does a retriever read? One class of words changed at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from askance.app.embedders import embedder_told
from askance.app.model_files import refused
from askance.core.errors import BadInput, UnknownName
from askance.core.files import write_whole
from askance.core.places import cache_folder
from askance.core.progress import Progress
from askance.data.collection import Collection, Tier
from askance.diagnose.probe.command import CommandProbed, parts_of
from askance.diagnose.probe.edits import HowMany
from askance.diagnose.probe.probe import Probe, ProbeSettings, Side
from askance.diagnose.probe.probe import probe as probe_collection
from askance.diagnose.probe.probed import Probed, RetrieverProbed
from askance.diagnose.probe.reranked import RerankedProbed
from askance.diagnose.probe.unjudged import is_unjudged, read_unjudged
from askance.models.embedder import Embedder
from askance.models.registry import built_beside
from askance.report.probe_chart import render_probe
from askance.retrieve.registry import RETRIEVERS
from askance.study.choices import compared_in, main_tier_of
from askance.study.collections import Named, named, open_collection
from askance.study.file import StudyFile, SystemEntry, read_study

NEEDS_MODEL = "dense"


def probe(
    collection: str | Collection,
    *,
    retriever: str | None = None,
    model: str | None = None,
    command: str | None = None,
    system: str | None = None,
    field: str | None = None,
    tier: str | None = None,
    side: Side = "queries",
    k: int = 10,
    words: HowMany = "all",
    queries: int = 300,
    documents: int = 100,
    draws: int = 1,
    seed: int | None = None,
    timeout: float | None = None,
    page: str | Path | None = None,
    progress: Progress | None = None,
) -> Probe:
    """What systems read of `collection`: a BEIR folder, a public name, STUDY.toml#domain, or an open collection.

    Of a study's domain all systems are probed, and its rerankers over them as system+reranker, or the one named
    `system`; else `retriever` (lexical unless told, dense where a `model` is named), or `command`, a command line with
    {queries} and {run} in it. A folder may lack judgments, and queries: then its own documents are asked. `field`: of
    the documents, what is searched; the study's, else the one that the collection compares. `tier`: whose judgments
    tell whether an edit keeps the answer; the main one where there is one. The rest: see ProbeSettings. `page`: where
    to write a page.
    """
    told = Named("") if isinstance(collection, Collection) else named(collection)
    _check(told, retriever=retriever, model=model, command=command, system=system)
    opened = collection if isinstance(collection, Collection) else _opened(told, progress)
    entry = told.domain
    compared = compared_in(entry, opened)
    searched = field or (entry.embed.document if entry else opened.compared)
    asked = entry.embed.query if entry else "text"
    settings = ProbeSettings(
        side=side,
        k=k,
        words=words,
        queries=queries,
        documents=documents,
        draws=draws,
        seed=seed if seed is not None else told.study.seed if told.study else 0,
        query_field=asked,
        document_field=searched,
    )
    probed: list[Probed]
    if command is not None:
        probed = [CommandProbed("command", Path(parts_of(command)[0]).name, parts_of(command), timeout)]
    elif retriever is None and model is None and told.domain is not None and isinstance(collection, str):
        study = read_study(Path(collection.partition("#")[0]))
        apart = compared.document != searched
        texts = opened.documents.field(compared.document) if apart else None
        probed = list(_of_study(study, told, system, texts))
    else:
        probed = [_named(retriever or (NEEDS_MODEL if model else "lexical"), model)]
    found = probe_collection(
        opened,
        probed,
        settings,
        tier=_tier(opened, told, tier),
        compared=searched if field else compared.document,
        progress=progress,
    )
    if page is not None:
        write_whole(Path(page), render_probe(found))
    return found


def _opened(told: Named, progress: Progress | None) -> Collection:
    folder = Path(told.collection)
    if told.domain is None and folder.is_dir() and is_unjudged(folder):
        return read_unjudged(folder)
    return open_collection(told.collection, beside=told.folder, progress=progress)


def _check(told: Named, **given: str | None) -> None:
    if given["command"] is not None:
        parts_of(given["command"])
        others = [name for name in ("retriever", "model", "system") if given[name] is not None]
        if others:
            raise BadInput(f"a command and a {others[0]} are given", remedy="Name one of them.")
    if given["system"] is not None and told.domain is None:
        raise BadInput("a system is named, but no study", remedy="Name STUDY.toml#domain, or use --retriever.")
    if given["system"] is not None and (given["retriever"] or given["model"]):
        raise BadInput("a system and a retriever are given", remedy="Name one of them.")
    if given["retriever"] == NEEDS_MODEL and given["model"] is None:
        raise BadInput("a dense retriever needs a model", remedy="Name one: --model minilm, or --model MODEL.toml.")
    if given["model"] is not None and given["retriever"] == "lexical":
        raise BadInput("a lexical retriever has no model", remedy="Leave --model out, or use --retriever dense.")


def _tier(collection: Collection, told: Named, name: str | None) -> Tier | None:
    if name is not None:
        return collection.tier(name)
    return collection.tier(main_tier_of(told.domain, collection)) if collection.tiers else None


def _named(retriever: str, model: str | None) -> RetrieverProbed:
    kind = RETRIEVERS.get(retriever)
    with refused(f"the retriever {retriever!r}", "Write it into a study file with its settings, and probe that."):
        kind.Settings.model_validate({})
    if model is None:
        return RetrieverProbed(retriever, retriever, retriever)
    name, settings = embedder_told(model)
    embedder = built_beside(name, settings, None)
    return RetrieverProbed(retriever, embedder.card.name, retriever, embedder=embedder, store=cache_folder("vectors"))


def _of_study(study: StudyFile, told: Named, only: str | None, compared: Sequence[str] | None) -> Sequence[Probed]:
    """The systems of the domain and its rerankers over them, or one of them; a model is built once.

    `compared`: the texts that rerankers compare, where these are not those that are searched.
    """
    assert told.domain is not None
    entries = {entry.name: entry for entry in told.domain.systems}
    if not entries:
        raise BadInput("the domain has no systems", remedy="Add [[domains.NAME.systems]], or use --retriever.")
    over = {
        f"{system}+{entry.name}": (system, entry)
        for entry in told.domain.rerankers
        for system in entries
        if entry.over is None or system in entry.over
    }
    if only is not None and only not in (*entries, *over):
        raise UnknownName("system", only, (*entries, *over))
    models: dict[str, Embedder] = {}

    def made(entry: SystemEntry) -> RetrieverProbed:
        if entry.model is not None and entry.model not in models:
            one = study.models[entry.model]
            models[entry.model] = built_beside(one.embedder, one.settings, told.folder)
        settings = RETRIEVERS.get(entry.retriever).Settings.model_validate(entry.settings)
        return RetrieverProbed(
            entry.name,
            entry.label or entry.name,
            entry.retriever,
            entry.settings,
            models[entry.model] if entry.model else None,
            cache_folder("vectors") if entry.model else None,
            of=[made(entries[name]) for name in getattr(settings, "of", ())],
            beside=told.folder,
        )

    def reranked(name: str) -> RerankedProbed:
        system, entry = over[name]
        below = made(entries[system])
        label = f"{below.label} + {entry.label or entry.name}"
        return RerankedProbed(name, label, below, entry.reranker, entry.settings, entry.first, compared)

    systems = [made(entry) for entry in entries.values() if only in (None, entry.name)]
    return [*systems, *(reranked(name) for name in over if only in (None, name))]

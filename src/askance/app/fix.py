"""The smallest change that mends a retriever, with a gain that holds on queries that had no part in choosing it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from askance.core.errors import BadInput
from askance.core.files import write_whole
from askance.core.progress import Progress
from askance.diagnose.fixing.fix import Fixed
from askance.diagnose.fixing.fix import fix as fix_case
from askance.diagnose.fixing.opening import MEASURE, of_collection, of_folder, of_study
from askance.study.collections import named, open_collection
from askance.study.file import read_study


@dataclass(frozen=True)
class FixWritten:
    """What was found, and the files that were written of it: none where nothing holds or no folder was named."""

    found: Fixed
    files: tuple[Path, ...] = ()


def fix(
    target: str | Path,
    *,
    domain: str | None = None,
    system: str | None = None,
    retriever: str | None = None,
    model: str | None = None,
    measure: str = MEASURE,
    seed: int = 0,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> FixWritten:
    """Look for a change to one system. Half of the queries choose, the others show what the change gains.

    `target`: a result folder; STUDY.toml#domain; or a collection with `retriever` (and `model`, an embedder), split by
    `seed` (a study has its own). `domain`: of a folder with several; `system`: of several, the one that hits most
    unless told (of a STUDY.toml, its first). `out`: where its files go (see fixing.exports), the result folder unless
    told; nowhere for the others.
    """
    place = Path(target)
    if (place / "manifest.json").is_file():
        if retriever is not None or model is not None:
            raise BadInput(
                "a result folder has its own systems", remedy="Name one by --system, without --retriever and --model."
            )
        from askance.study.folder import read_manifest

        opened = partial(open_collection, beside=read_manifest(place).beside, progress=progress)
        case, kept = of_folder(place, opened, domain=domain, system=system, measure=measure)
        return _written(fix_case(case, kept, progress), Path(out) if out is not None else place)
    spec = named(str(target))
    collection = open_collection(spec.collection, beside=spec.folder, progress=progress)
    if spec.domain is not None and spec.study is not None:
        if retriever is not None or model is not None or domain is not None:
            raise BadInput(
                "a study has its own systems and domains", remedy="Name one by --system and STUDY.toml#domain."
            )
        file, _, name = str(target).partition("#")
        models = read_study(Path(file)).models
        case = of_study(
            spec.study, models, name, spec.domain, collection, system=system, measure=measure, beside=spec.folder
        )
    elif retriever is None:
        raise BadInput(
            f"{target} is a collection, and no system is named",
            remedy="Say what searches it: --retriever lexical, or --retriever dense --model minilm.",
        )
    else:
        case = of_collection(spec.collection, collection, retriever=retriever, model=model, measure=measure, seed=seed)
    return _written(fix_case(case, None, progress), Path(out) if out is not None else None)


def _written(found: Fixed, out: Path | None) -> FixWritten:
    files = []
    for name, text in found.files.items():
        if out is not None:
            write_whole(out / name, text)
            files.append(out / name)
    return FixWritten(found, tuple(files))

"""askance build limit, askance build compositions, askance build trajectories"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from askance.cli.build_compositions import compositions
from askance.cli.build_trajectories import trajectories
from askance.cli.options import Json

app = typer.Typer(help="Make a benchmark.", no_args_is_help=True)
app.command()(compositions)
app.command()(trajectories)


@app.command()
def limit(
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="A new folder; nothing is overwritten.")],
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    documents: Annotated[int, typer.Option("--documents", min=1, help="Hard negatives not counted.")] = 50_000,
    queries: Annotated[int, typer.Option("--queries", min=1, help="Plain questions, each for its own item.")] = 1000,
    gold: Annotated[int, typer.Option("--gold", min=1, help="Documents that hold an asked item.")] = 2,
    pattern: Annotated[
        Literal["dense", "random", "cycle", "disjoint"], typer.Option("--pattern", help="Which documents hold it.")
    ] = "dense",
    relevant: Annotated[
        int | None,
        typer.Option("--relevant", min=1, help="Of how many gold is drawn (random, cycle)."),
    ] = None,
    items: Annotated[tuple[int, int], typer.Option("--items", help="Fewest and most items of a document.")] = (45, 45),
    padding: Annotated[int, typer.Option("--padding", min=0, help="Different items that fill documents up.")] = 850,
    composed: Annotated[
        float, typer.Option("--composed", min=0, max=1, help="Share of items that have words in common with others.")
    ] = 0.0,
    containment: Annotated[
        float, typer.Option("--containment", min=0, max=1, help="Share of items that hold an asked one.")
    ] = 0.0,
    separators: Annotated[
        float, typer.Option("--separators", min=0, max=1, help='Share of items with a comma or "and".')
    ] = 0.0,
    name_collisions: Annotated[
        float, typer.Option("--name-collisions", min=0, max=1, help="Share of asked items that stand in names.")
    ] = 0.0,
    namesakes: Annotated[int, typer.Option("--namesakes", min=1, help="Documents named after each of these.")] = 3,
    synonyms: Annotated[
        Literal["none", "queries", "documents"], typer.Option("--synonyms", help="Who uses another word.")
    ] = "none",
    questions: Annotated[
        list[str] | None,
        typer.Option("--questions", metavar="TEMPLATE=COUNT", help="or, or_or, and, and_both, and_not, not."),
    ] = None,
    negatives: Annotated[
        list[str] | None,
        typer.Option(
            "--negatives",
            metavar="KIND=COUNT",
            help="negation, attribution, split, containment, name; COUNT a number, document or judgment.",
        ),
    ] = None,
    form: Annotated[
        Literal["text", "fields"], typer.Option("--form", help="Fields: name, relation and items beside the text.")
    ] = "text",
    frame: Annotated[
        str, typer.Option("--frame", help="english, fond, german, spanish, japanese or invented sentences.")
    ] = "english",
    json: Json = False,
) -> None:
    """Who likes what: a collection in the manner of LIMIT, of any size, the same for the same seed."""
    from askance.app.build import build_limit, counts_of
    from askance.cli.show import show_json, show_lines
    from askance.cli.watch import watching

    with watching() as progress:
        made = build_limit(
            into,
            progress=progress,
            seed=seed,
            documents=documents,
            queries=queries,
            gold=gold,
            pattern=pattern,
            relevant=relevant,
            items=items,
            padding=padding,
            composed=composed,
            containment=containment,
            separators=separators,
            name_collisions=name_collisions,
            namesakes=namesakes,
            synonyms=synonyms,
            questions=counts_of(questions or [], "--questions"),
            negatives=counts_of(negatives or [], "--negatives"),
            form=form,
            frame=frame,
        )
    if json:
        show_json(made.record())
    else:
        show_lines([str(made.folder), *(f"{what}: {count:,}" for what, count in made.counts.items())])

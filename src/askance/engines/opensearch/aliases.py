"""Which index answers under a name: an alias points to it, and switching the alias is the only way it changes.

An index of askance called NAME is an alias; what holds the documents is called NAME--xxxxxxxx, anew for every build.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from askance.core.errors import AskanceError, BadInput
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.problems import ClusterProblem, NoSuchIndex, Rejected

BETWEEN = "--"


def new_name(alias: str) -> str:
    """A name for the next index behind an alias."""
    return f"{alias}{BETWEEN}{secrets.token_hex(4)}"


def behind(connection: Connection, alias: str) -> str | None:
    """The index behind an alias, None where there is no such alias. BadInput where several are, or where an index
    that is no alias has the name."""
    try:
        found: Mapping[str, Any] = connection.send("GET", f"/{alias}")
    except NoSuchIndex:
        return None
    if len(found) > 1:
        raise BadInput(
            f"the alias {alias!r} points to {len(found)} indexes: {', '.join(sorted(found))}",
            remedy="Let it point to one of them, or choose another name.",
        )
    ((name, about),) = found.items()
    if name == alias and alias not in about.get("aliases", {}):
        if BETWEEN in alias:
            return name  # asked for by its own name
        raise BadInput(
            f"{alias!r} is an index itself, and not an alias of one that askance made",
            remedy="Choose another name: askance puts an alias in front of what it builds, and replaces it whole.",
        )
    return name


def make(connection: Connection, path: str, body: Mapping[str, Any], name: str) -> None:
    """Create an index at `path`, whose name nobody else uses: one that is there is of a request whose answer was lost.

    Waits until its shards are there.
    """
    try:
        connection.send("PUT", path, body, parameters={"wait_for_active_shards": "1"})
    except Rejected as problem:
        if problem.kind != "resource_already_exists_exception":
            raise
        connection.send("GET", f"/_cluster/health/{name}", parameters={"wait_for_status": "yellow", "timeout": "60s"})


def switch(connection: Connection, alias: str, to: str, instead_of: str | None) -> None:
    """Let the alias point to `to` in one step. BadInput where it does not point to `instead_of` any more."""
    now = behind(connection, alias)
    if now == to:
        return  # done by a request whose answer was lost
    if now != instead_of:
        raise BadInput(
            f"the alias {alias!r} was switched meanwhile: it points to {now or 'nothing'}, not to "
            f"{instead_of or 'nothing'} as when the load began",
            remedy="Somebody else built the same index. Look which one is right, and build again.",
        )
    actions: list[Mapping[str, Any]] = []
    if instead_of is not None:
        actions.append({"remove": {"index": instead_of, "alias": alias, "must_exist": True}})
    actions.append({"add": {"index": to, "alias": alias}})
    try:
        connection.send("POST", "/_aliases", {"actions": actions}, repeatable=False)
    except ClusterProblem:
        if behind(connection, alias) != to:
            raise  # else it was done, and only the answer was lost


def left_over(connection: Connection, alias: str) -> list[str]:
    """Indexes of earlier builds that no alias points to: of builds that were killed, or are under way elsewhere."""
    try:
        found: Mapping[str, Any] = connection.send("GET", f"/{alias}{BETWEEN}*", parameters={"expand_wildcards": "all"})
    except NoSuchIndex:
        return []
    return sorted(name for name, about in found.items() if not about.get("aliases"))


def drop_unused(connection: Connection, alias: str, name: str) -> bool:
    """Delete an index that a failed load leaves; False where that is not sure to be right or cannot be done."""
    try:
        if behind(connection, alias) == name:
            return False
        drop(connection, name)
    except AskanceError:
        return False
    return True


def drop(connection: Connection, name: str) -> None:
    """Delete an index; nothing where it is gone."""
    try:
        connection.send("DELETE", f"/{name}")
    except NoSuchIndex:
        return

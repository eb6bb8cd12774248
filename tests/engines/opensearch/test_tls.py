"""Certificates are verified; an authority of one's own is named by ?ca=."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.engines.opensearch.scripted import Scripted, json_step

from askance.core.errors import AskanceError, BadInput
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.problems import Unreachable, Untrusted
from askance.engines.opensearch.waits import Waits


def made(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for one host, signed by itself, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=test", "-addext", f"subjectAltName={name}"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    return certificate, key


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("needs the command openssl, which makes the certificate")
    return made(tmp_path_factory.mktemp("tls"), "IP:127.0.0.1")


def ask(place: str) -> object:
    with Connection.open(address_of(place, {}), Waits(tries=1, sleep=lambda _: None), {}) as connection:
        return connection.send("GET", "/")


def test_an_authority_that_is_named_is_trusted(certificate: tuple[Path, Path]) -> None:
    with Scripted(json_step({"ok": True}), certificate=certificate[0], key=certificate[1]) as server:
        assert ask(server.place(options=f"tls=on&ca={certificate[0]}")) == {"ok": True}


def test_one_that_is_not_named_is_not(certificate: tuple[Path, Path]) -> None:
    with Scripted(json_step({}), certificate=certificate[0], key=certificate[1]) as server:
        with pytest.raises(Untrusted, match=r"(?s)cannot be verified.*ca=FILE"):
            ask(server.place(options="tls=on"))
        assert not server.requests


def test_a_certificate_of_another_host_is_not_trusted(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    other, key = made(tmp_path, "DNS:elsewhere.example")
    with Scripted(json_step({}), certificate=other, key=key) as server:
        with pytest.raises(Untrusted, match="cannot be verified"):
            ask(server.place(options=f"tls=on&ca={other}"))
        assert not server.requests


def test_a_server_without_tls(certificate: tuple[Path, Path]) -> None:
    with Scripted(json_step({})) as server, pytest.raises(Unreachable, match="tls=off"):
        ask(server.place(options="tls=on"))


def test_a_server_with_tls_asked_without(certificate: tuple[Path, Path]) -> None:
    with Scripted(json_step({}), certificate=certificate[0], key=certificate[1]) as server:
        with pytest.raises(AskanceError):
            ask(server.place())
        assert not server.requests


def test_a_file_of_authorities_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file of authorities"):
        ask(f"opensearch://127.0.0.1:1/p?tls=on&ca={tmp_path / 'x'}")
    (tmp_path / "y").write_text("no certificate")
    with pytest.raises(BadInput, match="no certificate"):
        ask(f"opensearch://127.0.0.1:1/p?tls=on&ca={tmp_path / 'y'}")

"""The client: what it retries, what it reports, and that it never waits for ever."""

from __future__ import annotations

import base64
import dataclasses
import itertools
import json
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from weather.fetching.conftest import HASTY
from weather.fetching.replay import Answer, Asked, ReplayServer

from phytotron import __version__
from phytotron.core.errors import ValueRangeError
from phytotron.weather.fetching import Client, FetchError, Limits
from phytotron.weather.fetching.http import _redirected
from phytotron.weather.fetching.replies import LONGEST_QUOTE, Reply

GOOD = b"some data, quite a lot of it\n" * 100
PAGE = b"<!DOCTYPE html>\n<html><head><title>Onderhoud</title></head><body><h1>Even <b>geduld</b></h1></body></html>"


@pytest.fixture(autouse=True)
def good_service(server: ReplayServer) -> None:
    server.service = lambda asked: Answer(GOOD)


def fetch(client: Client, server: ReplayServer, method: str = "GET", path: str = "/data") -> Reply:
    return client.fetch("Somewhere", method, server.url + path, {"vars": "T:TD", "list": "a,b"})


def hasty(**changes: float) -> Client:
    return Client(dataclasses.replace(HASTY, **changes))


def test_a_get_request_carries_parameters_and_our_name(client: Client, server: ReplayServer) -> None:
    reply = fetch(client, server)
    assert reply.body == GOOD
    assert reply.asked == f"{server.url}/data?vars=T:TD&list=a,b"
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("GET", "/data")
    assert asked.parameters == {"vars": "T:TD", "list": "a,b"}
    assert asked.headers["user-agent"].startswith(f"phytotron/{__version__} ")


def test_a_post_request_carries_parameters_as_a_form(client: Client, server: ReplayServer) -> None:
    assert fetch(client, server, "POST").body == GOOD
    (asked,) = server.asked
    assert (asked.method, asked.parameters) == ("POST", {"vars": "T:TD", "list": "a,b"})
    assert asked.headers["content-type"] == "application/x-www-form-urlencoded"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_passing_faults_are_retried(status: int, client: Client, server: ReplayServer) -> None:
    server.faults = [Answer(b"busy", status)] * 2
    told: list[str] = []
    reply = client.fetch("Somewhere", "GET", server.url, {}, told.append)
    assert reply.body == GOOD
    assert len(server.asked) == 3
    assert [f"status {status} (busy)" in text for text in told] == [True, True]
    assert "attempt 3 of 3" in told[1]


def test_a_fault_that_stays_is_reported_after_the_last_attempt(client: Client, server: ReplayServer) -> None:
    server.service = lambda asked: Answer(PAGE, 500)
    with pytest.raises(FetchError, match=r"status 500 \(Onderhoud - Even geduld\), after 3 attempts.*run the same"):
        fetch(client, server)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("header", "pause"),
    [
        ("7", 7.0),
        ("86400", 20.0),  # capped
        (format_datetime(datetime.now(UTC) + timedelta(hours=1)), 20.0),
        (format_datetime(datetime.now(UTC) - timedelta(hours=1)), 0.0),
        ("soon", 3.0),
        (None, 3.0),
    ],
    ids=["seconds", "a day", "in an hour", "an hour ago", "no time", "nothing"],  # the same in every process
)
def test_the_pause_that_a_service_asks_for_is_kept(header: str | None, pause: float, server: ReplayServer) -> None:
    pauses: list[float] = []
    client = Client(dataclasses.replace(HASTY, longest_pause=20.0, crowded=3.0, backoff=1e-3), sleep=pauses.append)
    server.faults = [Answer(b"slow down", 429, {"Retry-After": header} if header else {})]
    assert fetch(client, server).body == GOOD
    assert pauses == [pytest.approx(pause, abs=0.01)]


def test_pauses_double_and_differ_by_chance(server: ReplayServer) -> None:
    pauses: list[float] = []
    client = Client(dataclasses.replace(HASTY, attempts=6, backoff=1.0, longest_pause=100.0), sleep=pauses.append)
    server.faults = [Answer(b"", 503)] * 5
    fetch(client, server)
    assert [0.5 * 2**k <= pause <= 1.5 * 2**k for k, pause in enumerate(pauses)] == [True] * 5
    assert len({round(pause / 2**k, 6) for k, pause in enumerate(pauses)}) > 1


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (
            400,
            json.dumps({"error": True, "reason": "Parameter 'end_date' is out of range"}),
            "'end_date' is out of ran",
        ),
        (422, json.dumps({"header": {}, "messages": ["Please supply a user name."]}), "Please supply a user name"),
        (422, json.dumps({"detail": [{"loc": ["query", "start"], "msg": "too early"}]}), "query.start: too early"),
        (404, PAGE.decode(), "Even geduld"),
        (403, "go away", "go away"),
        (400, "", "nothing"),
        (204, "", "nothing"),
    ],
)
def test_a_refusal_is_final_and_quoted(
    status: int, body: str, words: str, client: Client, server: ReplayServer
) -> None:
    server.service = lambda asked: Answer(body.encode(), status)
    with pytest.raises(FetchError, match=f"Somewhere refuses the request with status {status}") as caught:
        fetch(client, server)
    assert words in str(caught.value)
    assert "vars=T:TD" in str(caught.value)
    assert len(server.asked) == 1


def test_a_quotation_is_short_and_printable(client: Client, server: ReplayServer) -> None:
    server.service = lambda asked: Answer(b"\x1b[31mred\x00\n" + b"blah " * 10_000, 400)
    with pytest.raises(FetchError) as caught:
        fetch(client, server)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < LONGEST_QUOTE + 200


@pytest.mark.parametrize("content", [PAGE, b"\xef\xbb\xbf  <html>", b"<?xml version='1.0'?><error/>"])
def test_a_web_page_is_not_data(content: bytes, client: Client, server: ReplayServer) -> None:
    server.service = lambda asked: Answer(content)
    with pytest.raises(FetchError, match="sent a web page instead of data"):
        fetch(client, server)
    assert len(server.asked) == 1


def test_an_empty_reply_is_reported(client: Client, server: ReplayServer) -> None:
    server.service = lambda asked: Answer(b" \r\n")
    with pytest.raises(FetchError, match="the reply is empty, after 3 attempts"):
        fetch(client, server)


@pytest.mark.parametrize("chunked", [False, True])
def test_a_reply_that_breaks_off_is_fetched_again(chunked: bool, client: Client, server: ReplayServer) -> None:
    server.faults = [Answer(GOOD, cut=1000, chunked=chunked), Answer(GOOD, cut=0), Answer(GOOD, chunked=chunked)]
    assert fetch(client, server).body == GOOD
    assert len(server.asked) == 3


def test_a_reply_that_always_breaks_off_is_reported(client: Client, server: ReplayServer) -> None:
    server.service = lambda asked: Answer(GOOD, cut=1000)
    with pytest.raises(FetchError, match=r"the reply broke off .* after 3 attempts"):
        fetch(client, server)


def test_a_dripping_reply_is_given_up(server: ReplayServer) -> None:
    server.service = lambda asked: Answer(GOOD, drip=0.02)
    started = time.monotonic()
    with pytest.raises(FetchError, match="comes too slowly"):
        fetch(hasty(slowest=200.0, slowest_after=0.3, attempts=1), server)
    assert time.monotonic() - started < 3.0


@pytest.mark.parametrize("answer", [Answer(GOOD, drip=0.02, drip_headers=True), Answer(GOOD, drip=0.02)])
def test_one_exchange_has_a_limit_in_time(answer: Answer, server: ReplayServer) -> None:
    server.service = lambda asked: answer
    started = time.monotonic()
    with pytest.raises(FetchError, match=r"no complete reply within 0\.4 s, after 1 attempt;"):
        fetch(hasty(total=0.4, attempts=1), server)
    assert time.monotonic() - started < 3.0


def test_a_silent_service_is_given_up(server: ReplayServer) -> None:
    server.service = lambda asked: Answer(GOOD, delay=5.0)
    with pytest.raises(FetchError, match=r"silent for 0\.2 s, after 2 attempts"):
        fetch(hasty(silence=0.2, attempts=2), server)


def test_a_refused_connection_is_reported(client: Client) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        with pytest.raises(FetchError, match="connection refused, after 3 attempts"):
            client.fetch("Somewhere", "GET", f"http://127.0.0.1:{taken.getsockname()[1]}/", {})


def test_a_host_that_does_not_exist_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*arguments: object, **options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(FetchError, match="host name cannot be resolved"):
        hasty(attempts=1).fetch("Somewhere", "GET", "http://nowhere.invalid/", {})


@pytest.mark.parametrize("url", ["ftp://somewhere/", "somewhere.org/data", "", "http://"])
def test_other_addresses_are_refused(url: str, client: Client) -> None:
    with pytest.raises(ValueRangeError, match="http:// or https://"):
        client.fetch("Somewhere", "GET", url, {})


def test_redirects_are_followed_with_the_form(client: Client, server: ReplayServer) -> None:
    server.faults = [Answer(b"", 301, {"Location": "/elsewhere"}), Answer(b"", 307, {"Location": "again"})]
    assert fetch(client, server, "POST").body == GOOD
    assert [(asked.method, asked.path) for asked in server.asked] == [
        ("POST", "/data"),
        ("POST", "/elsewhere"),
        ("POST", "/again"),
    ]
    assert server.asked[-1].parameters == {"vars": "T:TD", "list": "a,b"}


def test_redirects_in_a_circle_end(client: Client, server: ReplayServer) -> None:
    server.service = lambda asked: Answer(b"", 302, {"Location": "/data"})
    with pytest.raises(FetchError, match="more than 5 redirects"):
        fetch(client, server)
    assert len(server.asked) == 6


@pytest.mark.parametrize("target", ["http://somewhere.org/", "file:///etc/passwd"])
def test_redirects_that_take_encryption_off_are_not_followed(target: str) -> None:
    with pytest.raises(FetchError, match="redirects to"):
        _redirected("Somewhere", "https://somewhere.org/", target)


@pytest.mark.parametrize(
    "target", ["https://elsewhere.org/", "//elsewhere.org/data", "https://somewhere.org.evil.net/"]
)
def test_redirects_to_another_host_are_not_followed(target: str) -> None:
    with pytest.raises(FetchError, match="redirects to another host"):
        _redirected("Somewhere", "https://somewhere.org/", target)
    assert _redirected("Somewhere", "http://somewhere.org/a", "https://somewhere.org/b") == "https://somewhere.org/b"


def test_a_reply_has_a_limit_in_size(server: ReplayServer) -> None:
    with pytest.raises(FetchError, match="longer than 1000 bytes"):
        fetch(hasty(size=1000), server)


def test_a_host_is_asked_one_thing_at_a_time_with_a_pause(server: ReplayServer) -> None:
    moments: list[float] = []

    def service(asked: Asked) -> Answer:
        moments.append(time.monotonic())
        return Answer(GOOD, delay=0.02)

    server.service = service
    client = hasty(between=0.1)
    threads = [threading.Thread(target=fetch, args=(client, server)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.busiest == 1
    assert min(after - before for before, after in itertools.pairwise(moments)) > 0.1


def test_the_proxy_of_the_environment_is_used(
    client: Client, server: ReplayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server.url.replace("//", "//me:a%20word@"))
    assert client.fetch("Somewhere", "GET", "http://weather.invalid/data", {}).body == GOOD
    assert server.asked[0].path == "http://weather.invalid/data"
    assert base64.b64decode(server.asked[0].headers["proxy-authorization"].split()[1]) == b"me:a word"
    monkeypatch.setenv("http_proxy", "socks9://me:secret@somewhere")
    with pytest.raises(
        FetchError, match=r"the proxy that \$http_proxy names cannot be used; expected http://host:port$"
    ):
        client.fetch("Somewhere", "GET", "http://weather.invalid/data", {})


@pytest.fixture
def certificate(server: ReplayServer, tmp_path: Path) -> Path:
    """Makes the server speak TLS, with a certificate that only its own file vouches for."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out cert -days 2 "
        "-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    )
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    return tmp_path / "cert"


def test_a_certificate_that_nobody_vouches_for_is_refused(
    client: Client, server: ReplayServer, certificate: Path
) -> None:
    with pytest.raises(FetchError, match=r"certificate of 127\.0\.0\.1 cannot be verified"):
        client.fetch("Somewhere", "GET", server.url.replace("http", "https"), {})
    assert server.asked == []


def test_encrypted_exchanges_keep_the_limit_in_time(
    client: Client, server: ReplayServer, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    url = server.url.replace("http", "https")
    assert client.fetch("Somewhere", "GET", url, {}).body == GOOD
    server.service = lambda asked: Answer(GOOD, drip=0.02, drip_headers=True)
    with pytest.raises(FetchError, match=r"no complete reply within 0\.4 s, after 1 attempt;"):
        hasty(total=0.4, attempts=1).fetch("Somewhere", "GET", url, {})


def test_without_urllib3_the_remedy_is_named(
    client: Client, server: ReplayServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "urllib3", None)
    with pytest.raises(FetchError, match=r"pip install 'phytotron\[weather\]'"):
        fetch(client, server)


def test_the_default_limits_are_patient_and_finite() -> None:
    limits = Limits()
    assert limits.attempts >= 3 and limits.total <= 900 and limits.between >= 1.0

"""A patient and polite client: retries what passes, reports what does not, waits for no one for ever."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.version import __version__
from phytotron.weather.fetching.deadline import Deadline, watch_connections
from phytotron.weather.fetching.replies import Reply, quoted

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

AGENT = f"phytotron/{__version__} (crop production benchmark; weather download)"
PASSING = frozenset((408, 429, 500, 502, 503, 504))  # statuses after which the same request may succeed
MOVED = frozenset((301, 302, 303, 307, 308))
CHUNK = 65536  # bytes

Report = Callable[[str], None]


class FetchError(PhytotronError):
    """Weather that could not be had from a service."""


@dataclass(frozen=True)
class Limits:
    """The limits of a request: how long to wait for a service, how often to ask it, and how much to take from it."""

    connect: float = 15.0  # s
    silence: float = 120.0  # s without a byte
    total: float = 600.0  # s for one exchange
    slowest: float = 200.0  # bytes/s, mean since the body began
    slowest_after: float = 30.0  # s from which on that holds
    size: int = 200_000_000  # bytes
    redirects: int = 5
    attempts: int = 5
    backoff: float = 2.0  # s before the second attempt; doubles with every further one
    crowded: float = 60.0  # s after status 429 that names no time
    longest_pause: float = 300.0  # s: cap on what a service may ask for
    between: float = 1.0  # s between two exchanges with one host


class _PassingError(Exception):
    """A fault that may be gone next time; `pause` is what the service asks for [s]."""

    def __init__(self, problem: str, pause: float | None = None) -> None:
        super().__init__(problem)
        self.pause = pause


@dataclass
class _Turn:
    """One host: who holds the lock may ask it, from `ready` on."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    ready: float = 0.0  # s, time.monotonic()


_turns: dict[str, _Turn] = {}


@dataclass
class Client:
    """Asks services for data, each host one request at a time."""

    limits: Limits = field(default_factory=Limits)
    sleep: Callable[[float], None] = time.sleep

    def fetch(
        self, service: str, method: str, url: str, parameters: Mapping[str, str], report: Report = lambda text: None
    ) -> Reply:
        """Return the reply with status 200 to a GET or POST request; anything else is a `FetchError`."""
        _urllib3()
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise ValueRangeError(f"the address of {service}", url, "an address that begins with http:// or https://")
        for attempt in range(1, self.limits.attempts + 1):
            try:
                with self._turn(url):
                    reply = self._exchange(service, method, url, parameters)
                return _accepted(service, reply, self.limits)
            except _PassingError as fault:
                if attempt == self.limits.attempts:
                    remedy = "what has been fetched is kept: run the same again later"
                    asked = address(url, parameters)
                    tries = f"{attempt} attempts" if attempt > 1 else "1 attempt"
                    raise FetchError(f"{service}: {fault}, after {tries}; {remedy}; asked for {asked}") from fault
                pause = self._pause(attempt, fault.pause)
                report(f"{service}: {fault}; attempt {attempt + 1} of {self.limits.attempts} in {pause:.0f} s")
                self.sleep(pause)
        raise ValueRangeError("the number of attempts", self.limits.attempts, "1 or more")

    def _pause(self, attempt: int, asked: float | None) -> float:
        """Return the pause before the next attempt [s]: doubled after each, and random, so that clients spread out."""
        own = self.limits.backoff * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)
        return min(max(own, asked or 0.0), self.limits.longest_pause)

    @contextlib.contextmanager
    def _turn(self, url: str) -> Iterator[None]:
        turn = _turns.setdefault(urlsplit(url).netloc.lower(), _Turn())
        with turn.lock:
            wait = turn.ready - time.monotonic()
            if wait > 0:
                self.sleep(wait)
            try:
                yield
            finally:
                turn.ready = time.monotonic() + self.limits.between

    def _exchange(self, service: str, method: str, url: str, parameters: Mapping[str, str]) -> Reply:
        urllib3 = _urllib3()
        content = urlencode(parameters, safe=":,")
        target = address(url, parameters) if method == "GET" else url
        with Deadline(self.limits.total) as deadline, _manager(target) as manager:
            watch_connections(manager, deadline)
            try:
                for _ in range(self.limits.redirects + 1):
                    with contextlib.closing(self._open(manager, method, target, content)) as response:
                        headers = {name.lower(): value for name, value in response.headers.items()}
                        if response.status not in MOVED or "location" not in headers:
                            body = self._body(response, service)
                            if deadline.passed:  # headers that break off count as complete
                                raise _PassingError(f"no complete reply within {deadline.seconds:g} s")
                            return Reply(address(url, parameters), response.status, headers, body)
                        target = _redirected(service, target, headers["location"])
                        method = "GET" if response.status == 303 else method
            except urllib3.exceptions.HTTPError as error:
                if deadline.passed:
                    raise _PassingError(f"no complete reply within {deadline.seconds:g} s") from error
                if "CERTIFICATE_VERIFY_FAILED" in str(error):
                    host = urlsplit(target).hostname
                    raise FetchError(
                        f"{service}: the certificate of {host} cannot be verified ({quoted(str(error))}); "
                        "check the clock and the certificates of this machine, and proxies in between"
                    ) from error
                raise _PassingError(_fault(error, self.limits)) from error
        raise FetchError(f"{service}: more than {self.limits.redirects} redirects from {url}; has the service moved?")

    def _open(self, manager: PoolManager, method: str, url: str, content: str) -> BaseHTTPResponse:
        timeout = _urllib3().Timeout(connect=self.limits.connect, read=self.limits.silence)
        # As it is, not compressed: then the length in the headers tells whether all of it has come.
        headers = {"User-Agent": AGENT, "Accept-Encoding": "identity", "Connection": "close"}
        body = None
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = content
        return manager.request(
            method, url, body=body, headers=headers, timeout=timeout, retries=False, redirect=False,
            preload_content=False,
        )  # fmt: skip

    def _body(self, response: BaseHTTPResponse, service: str) -> bytes:
        begun, received = time.monotonic(), bytearray()
        while chunk := response.read1(CHUNK, decode_content=True):
            received += chunk
            if len(received) > self.limits.size:
                raise FetchError(f"{service}: the reply is longer than {self.limits.size} bytes; ask for fewer years")
            elapsed = time.monotonic() - begun
            if elapsed > self.limits.slowest_after and len(received) < self.limits.slowest * elapsed:
                raise _PassingError(f"the reply comes too slowly ({len(received)} bytes in {elapsed:.0f} s)")
        return bytes(received)


def address(url: str, parameters: Mapping[str, str]) -> str:
    """Return a request as one address; the services that are asked by POST answer to this as well."""
    return f"{url}?{urlencode(parameters, safe=':,')}" if parameters else url


def _accepted(service: str, reply: Reply, limits: Limits) -> Reply:
    if reply.status in PASSING:
        pause = reply.retry_after
        if pause is None and reply.status == 429:
            pause = limits.crowded
        raise _PassingError(f"status {reply.status} ({reply.words})", pause)
    if reply.status != 200:
        remedy = "check what was asked for" if reply.status in (400, 404, 422) else "see the pages of the service"
        raise FetchError(
            f"{service} refuses the request with status {reply.status}: {reply.words}; {remedy}: {reply.asked}"
        )
    if reply.is_page:
        remedy = "the service may be down or the request too large: ask for fewer years, or later"
        raise FetchError(
            f"{service} sent a web page instead of data ({reply.words}); {remedy}; asked for {reply.asked}"
        )
    if not reply.body.strip():
        raise _PassingError("the reply is empty")
    return reply


def _redirected(service: str, source: str, location: str) -> str:
    target = urljoin(source, location)
    if urlsplit(target).scheme != "https" and urlsplit(source).scheme == "https":
        raise FetchError(f"{service}: {source} redirects to {quoted(target)}, which is not encrypted; not followed")
    if urlsplit(target).scheme not in ("http", "https"):
        raise FetchError(f"{service}: {source} redirects to {quoted(target)}, which is no web address")
    if urlsplit(target).hostname != urlsplit(source).hostname:
        remedy = "has the service moved? See its pages"
        raise FetchError(f"{service}: {source} redirects to another host, {quoted(target)}; not followed. {remedy}")
    return target


def _fault(error: Exception, limits: Limits) -> str:
    """Return an error of the connection in words."""
    known = _urllib3().exceptions
    if isinstance(error, known.NameResolutionError):
        return "its host name cannot be resolved; is there an internet connection?"
    if isinstance(error, known.NewConnectionError):  # a ConnectTimeoutError, too
        return "connection refused" if "refused" in str(error) else f"no connection ({quoted(str(error))})"
    if isinstance(error, known.ConnectTimeoutError):
        return f"no connection within {limits.connect:g} s"
    if isinstance(error, known.ReadTimeoutError):
        return f"silent for {limits.silence:g} s"
    if isinstance(error, known.ProtocolError):
        return f"the reply broke off ({quoted(str(error))})"
    return f"no connection ({quoted(str(error))})"


def _manager(url: str) -> PoolManager:
    """Connections to a host, through the proxy that the environment names for it."""
    urllib3 = _urllib3()
    parts = urlsplit(url)
    proxy = getproxies().get(parts.scheme)
    if not proxy or proxy_bypass(parts.hostname or ""):
        return urllib3.PoolManager()
    named = urlsplit(proxy)
    login = f"{unquote(named.username)}:{unquote(named.password or '')}" if named.username else None
    try:
        return urllib3.ProxyManager(proxy, proxy_headers=urllib3.make_headers(proxy_basic_auth=login))
    except urllib3.exceptions.HTTPError as error:
        variable = f"{parts.scheme}_proxy"
        raise FetchError(f"the proxy that ${variable} names cannot be used; expected http://host:port") from error


def _urllib3() -> Any:
    try:
        import urllib3
    except ImportError as error:
        raise FetchError("fetching weather needs urllib3: pip install 'phytotron[weather]'") from error
    return urllib3

"""A limit on the time that an exchange takes as a whole, however slowly the other side sends."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from urllib3 import PoolManager


class Deadline:
    """Shuts its sockets down when the time is over.

    A time-out of a socket begins anew with every byte: whoever sends one byte per second, were it only of the headers,
    is never late. A socket that is shut down wakes up the thread that waits for it.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.passed = False
        self._sockets: list[Any] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._pass)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def watch(self, sock: Any) -> None:
        """Shut this socket down, too; at once where the time is over already."""
        with self._lock:
            self._sockets.append(sock)
            if self.passed:
                _shut(sock)

    def _pass(self) -> None:
        with self._lock:
            self.passed = True
            for sock in self._sockets:
                _shut(sock)


def _shut(sock: Any) -> None:
    # Not SSLSocket.shutdown, which takes the encryption off a socket that another thread is reading.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def watch_connections(manager: PoolManager, deadline: Deadline) -> None:
    """Let a deadline watch every connection that a manager opens from now on."""
    from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
    from urllib3.connection import HTTPConnection, HTTPSConnection

    def watched(pool: Any, connection: Any) -> Any:
        def connect(self: Any) -> None:
            connection.connect(self)
            deadline.watch(self.sock)

        opened = type(f"Watched{connection.__name__}", (connection,), {"connect": connect})
        return type(f"Watched{pool.__name__}", (pool,), {"ConnectionCls": opened})

    manager.pool_classes_by_scheme = {
        "http": watched(HTTPConnectionPool, HTTPConnection),
        "https": watched(HTTPSConnectionPool, HTTPSConnection),
    }

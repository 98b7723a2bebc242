"""Signals that end a process: Ctrl-C, `kill`, and a terminal or connection that is closed."""

import signal

ENDING = {"SIGINT": "Interrupted", "SIGTERM": "Terminated", "SIGHUP": "Hung up"}  # a word for what happened


def ending_signals() -> list[signal.Signals]:
    """Return the signals by which this system ends a process, without SIGHUP where it is ignored, as under `nohup`."""
    known = [signal.Signals[name] for name in ENDING if hasattr(signal, name)]
    return [each for each in known if each.name != "SIGHUP" or signal.getsignal(each) is not signal.SIG_IGN]


def exit_status(number: int) -> int:
    """Return the exit status that shells expect of a process which a signal has ended."""
    return 128 + number


def word(number: int) -> str:
    """Return a word for what a signal did, such as "Interrupted"."""
    return ENDING[signal.Signals(number).name]

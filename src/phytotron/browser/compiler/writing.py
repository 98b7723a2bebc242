"""JavaScript of nodes: only what is used is written, and what is used once is written where it is used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from phytotron.browser.compiler.graph import Loop, Node, Scope
from phytotron.browser.compiler.lowering import check_known

ATOMIC = re.compile(r"^(Math\.\w+\(|Number\.\w+\(|map\(|even\(|[Twx]\d*\[|\[|\{0\}\[)")
Use = tuple[Any, Scope | None]  # of a node, and the block that uses it

LONGEST = 400  # characters of an expression that is written where it is used


class Writer:
    """Writes the body of one function."""

    def __init__(self, outputs: Sequence[Any], root: Scope, function: str) -> None:
        self.function = function
        self.uses: Counter[int] = Counter()
        self.live: set[int] = set()
        self.variables: set[tuple[int, int]] = set()  # of loops, by place; series have negative ones
        self.texts: dict[int, str] = {}
        self._names = 0
        self._mark([(each, root) for each in outputs])

    # What is used

    def _mark(self, waiting: list[Use]) -> None:
        while waiting:
            node, user = waiting.pop()
            if not isinstance(node, Node):
                continue
            check_known(node, self.function)
            self.uses[id(node)] += 1 if user is node.scope else 2  # what another block uses has a name of its own
            if id(node) in self.live:
                continue
            self.live.add(id(node))
            user = None if node.template.startswith("map(") else node.scope  # what a loop reads is computed before it
            waiting += [(each, user) for each in node.args]
            if node.source is not None:
                waiting += self._variable(node.source, node.index)

    def _variable(self, loop: Loop, place: int) -> list[Use]:
        """Return the nodes, with their scopes, on which a variable or a series of a loop depends."""
        if (id(loop), place) in self.variables:
            return []
        self.variables.add((id(loop), place))
        needed = [(loop.goes_on, loop.scope)]
        if place < 0:
            return needed + [(each, loop.scope) for each in loop.series[-place - 1][2]]
        return [*needed, (loop.first[place], loop.scope.parent), (loop.following[place], loop.scope)]

    # Text

    def block(self, scope: Scope) -> list[str]:
        """Return the statements of a block."""
        lines: list[str] = []
        for item in scope.items:
            if isinstance(item, Loop):
                lines += self._loop(item)
            elif id(item) in self.live:
                text = self._expression(item)
                if self.uses[id(item)] == 1 and len(text) <= LONGEST:
                    self.texts[id(item)] = text
                    continue
                self._names += 1
                name = f"v{self._names}"
                lines.append(f"const {name}={text};")
                self.texts[id(item)] = name
        return lines

    def _loop(self, loop: Loop) -> list[str]:
        places = [place for place in range(len(loop.names)) if (id(loop), place) in self.variables]
        series = [n for n in range(len(loop.series)) if (id(loop), -n - 1) in self.variables]
        if not places and not series:
            return []
        lines = [f"let {loop.names[place]}={self.value(loop.first[place])};" for place in places]
        for n in series:
            name, width, _ = loop.series[n]
            lines.append(f"const {name}=new Float64Array({width * (loop.length or 0)});")
        counter = loop.counter
        lines.append(
            "for(;;){" if loop.length is None else f"for(let {counter}=0;{counter}<{loop.length};{counter}++){{"
        )
        lines += self.block(loop.scope)
        if loop.length is None:
            lines.append(f"if(!({self.value(loop.goes_on)}))break;")
        for n in series:
            name, width, (index, *values) = loop.series[n]
            lines += [f"{name}[{self.value(index)}*{width}+{k}]={self.value(v)};" for k, v in enumerate(values)]
        moved = [place for place in places if not _is_itself(loop, place)]
        lines += [f"const n{loop.names[place]}={self.value(loop.following[place])};" for place in moved]
        lines += [f"{loop.names[place]}=n{loop.names[place]};" for place in moved]
        return [*lines, "}"]

    def _expression(self, node: Node) -> str:
        template = node.template

        def written(match: re.Match[str]) -> str:
            text = self.value(node.args[int(match.group(1))])
            before, after = template[: match.start()][-1:], template[match.end() :][:1]
            closed = before in ("(", "[", ",") and after in (")", "]", ",")
            return text if closed or self._is_atomic(node.args[int(match.group(1))], text) else f"({text})"

        return re.sub(r"\{(\d+)\}", written, template)

    def _is_atomic(self, arg: Any, text: str) -> bool:
        if not isinstance(arg, Node):
            return not text.startswith("-")
        return arg.name is not None or re.fullmatch(r"\w+", text) is not None or ATOMIC.match(arg.template) is not None

    def value(self, value: Any) -> str:
        """Return a number, a variable or an expression."""
        if isinstance(value, Node):
            return value.name if value.name is not None else self.texts[id(value)]
        return literal(value)


def _is_itself(loop: Loop, place: int) -> bool:
    after = loop.following[place]
    return isinstance(after, Node) and after.name == loop.names[place]


def literal(value: Any) -> str:
    """Return a number or a truth value."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    number = float(value)
    if np.isnan(number):
        return "NaN"
    if np.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == int(number) and abs(number) < 1e15:
        return "-0" if number == 0 and np.signbit(number) else str(int(number))
    return repr(number).replace("e-0", "e-").replace("e+", "e")

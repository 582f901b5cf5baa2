"""The longest match of several rules at once, as a scanner generator finds it.

Lucene's grammars are written for JFlex: of all rules the one that matches most text wins, and among equals the first.
Python's regular expressions take the first alternative that matches, so a grammar is kept as a nondeterministic
automaton over byte symbols and made deterministic state by state, as text asks for it (subset construction).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock

Symbols = int
"""A set of byte symbols as a bit mask."""

DEAD = -1
"""No rule can match from here."""


@dataclass(frozen=True)
class Pattern:
    """A regular expression over symbols; made by the functions below."""

    kind: str
    symbols: Symbols = 0
    parts: tuple[Pattern, ...] = ()


def one(symbols: bytes | Symbols) -> Pattern:
    """Match one symbol out of several."""
    return Pattern("one", symbols if isinstance(symbols, int) else mask(symbols))


def mask(symbols: Iterable[int]) -> Symbols:
    """Make a set of symbols."""
    found = 0
    for symbol in symbols:
        found |= 1 << symbol
    return found


def text(symbols: bytes) -> Pattern:
    """Match symbols one after the other."""
    return Pattern("row", parts=tuple(one(bytes([symbol])) for symbol in symbols))


def row(*parts: Pattern) -> Pattern:
    """Match patterns one after the other."""
    return Pattern("row", parts=parts)


def either(*parts: Pattern) -> Pattern:
    """Match one pattern out of several."""
    return Pattern("either", parts=parts)


def many(part: Pattern) -> Pattern:
    """Match a pattern any number of times, also never."""
    return Pattern("many", parts=(part,))


def some(part: Pattern) -> Pattern:
    """Match a pattern at least once."""
    return row(part, many(part))


def maybe(part: Pattern) -> Pattern:
    """Match a pattern or nothing."""
    return Pattern("either", parts=(part, Pattern("row")))


def times(part: Pattern, least: int, most: int) -> Pattern:
    """Match a pattern so many times."""
    return row(*[part] * least, *[maybe(part)] * (most - least))


@dataclass
class Automaton:
    """Rules, in the order in which they win where they match equally much.

    Examples
    --------
    >>> words = Automaton()
    >>> words.rule(0, some(one(b"ab")))
    >>> words.rule(1, text(b"aba-"))
    >>> words.longest(b"aba", 0, 3), words.longest(b"aba-", 0, 4), words.longest(b"-", 0, 1)
    ((0, 3), (1, 4), (-1, 0))
    """

    _moves: list[list[tuple[Symbols, int]]] = field(default_factory=lambda: [[]])
    _frees: list[list[int]] = field(default_factory=lambda: [[]])
    _rules: dict[int, int] = field(default_factory=dict)
    _known: dict[frozenset[int], int] = field(default_factory=dict)
    _states: list[frozenset[int]] = field(default_factory=list)
    _table: list[list[int | None]] = field(default_factory=list)
    _wins: list[int] = field(default_factory=list)
    _growing: Lock = field(default_factory=Lock)

    def rule(self, number: int, pattern: Pattern) -> None:
        """Add a rule; the lower number wins a tie."""
        self.accept(number, self.extend(0, pattern))

    def extend(self, start: int, pattern: Pattern) -> int:
        """Add a pattern after a node, and give the node at its end: the way to let rules share a beginning."""
        if pattern.kind == "one":
            end = self._node()
            self._moves[start].append((pattern.symbols, end))
            return end
        if pattern.kind == "row":
            for part in pattern.parts:
                start = self.extend(start, part)
            return start
        if pattern.kind == "either":
            end = self._node()
            for part in pattern.parts:
                self._frees[self.extend(start, part)].append(end)
            return end
        loop, end = self._node(), self._node()
        self._frees[start].append(loop)
        self._frees[self.extend(loop, pattern.parts[0])].append(loop)
        self._frees[loop].append(end)
        return end

    def link(self, starts: Iterable[int]) -> int:
        """Give a node that is reached from several."""
        end = self._node()
        for start in starts:
            self._frees[start].append(end)
        return end

    def accept(self, number: int, node: int) -> None:
        """Let a rule match where a node is reached."""
        end = self._node()
        self._frees[node].append(end)
        self._rules[end] = number

    def longest(self, symbols: Sequence[int], start: int, end: int) -> tuple[int, int]:
        """Find the rule that matches most of ``symbols[start:end]`` from its beginning.

        Returns
        -------
        tuple of int
            Its number and where the match ends; ``(-1, start)`` where nothing matches.
        """
        self._begin()
        table, wins = self._table, self._wins
        state, found, at = 0, -1, start
        for place in range(start, end):
            after = table[state][symbols[place]]
            if after is None:
                after = self._step(state, symbols[place])
            if after == DEAD:
                break
            state = after
            if wins[state] >= 0:
                found, at = wins[state], place + 1
        return found, at

    def beyond(self, symbols: Sequence[int], start: int, end: int) -> bool:
        """Tell whether a longer match could follow, had ``symbols[start:end]`` more behind it.

        Examples
        --------
        >>> words = Automaton()
        >>> words.rule(0, text(b"ab"))
        >>> [words.beyond(symbols, 0, len(symbols)) for symbols in (b"", b"a", b"ab", b"-")]
        [True, True, False, False]
        """
        self._begin()
        state = 0
        for place in range(start, end):
            after = self._table[state][symbols[place]]
            state = self._step(state, symbols[place]) if after is None else after
            if state == DEAD:
                return False
        return any(self._moves[node] for node in self._states[state])

    def _begin(self) -> None:
        if not self._states:
            with self._growing:
                self._state(frozenset([0]))

    def _node(self) -> int:
        self._moves.append([])
        self._frees.append([])
        return len(self._moves) - 1

    def _state(self, nodes: frozenset[int]) -> int:
        reached, waiting = set(nodes), list(nodes)
        while waiting:
            for node in self._frees[waiting.pop()]:
                if node not in reached:
                    reached.add(node)
                    waiting.append(node)
        closed = frozenset(node for node in reached if self._moves[node] or node in self._rules)
        if not closed:
            return DEAD
        if closed not in self._known:
            row_of: list[int | None] = [None] * 256
            self._states.append(closed)
            self._table.append(row_of)
            self._wins.append(min((self._rules[node] for node in closed if node in self._rules), default=-1))
            self._known[closed] = len(self._states) - 1
        return self._known[closed]

    def _step(self, state: int, symbol: int) -> int:
        nodes = frozenset(
            end for node in self._states[state] for symbols, end in self._moves[node] if symbols >> symbol & 1
        )
        if nodes:
            with self._growing:  # threads share the automaton: a state gets one number
                after = self._state(nodes)
        else:
            after = DEAD
        self._table[state][symbol] = after
        return after

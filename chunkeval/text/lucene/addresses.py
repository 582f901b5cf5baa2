"""The grammar of URLs and mail addresses in Lucene's ``uax_url_email`` tokenizer.

Written after RFC 3986 (URI), RFC 1123 (hosts), RFC 5321 and 5322 (mail) with the limits that ``UAX29URLEmailTokenizer``
sets: schemes http, https, ftp and file; a host without a scheme needs a top-level domain of IANA's list, and something
after it that is no part of a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from chunkeval.text.lucene.automaton import Automaton, Pattern, either, many, mask, maybe, one, row, some, text, times

# Rules: of those that match most text, the first wins.
URL, HOST, MAILTO, MAIL = 0, 1, 8, 9
PLAIN_HOSTS = range(2, 8)
"""Two a group of top-level domains: the host before a word character (to be read again as words), and the host alone."""

WORD, OTHER = 128, 129
"""Symbols of characters beyond ASCII: those that go on with a word, and all else."""

_DIGIT = b"0123456789"
_LETTER = bytes(range(ord("a"), ord("z") + 1)) + bytes(range(ord("A"), ord("Z") + 1))
_HEX = _DIGIT + b"abcdefABCDEF"
_WORD = mask(_LETTER + _DIGIT + b"-_") | 1 << WORD
_ASCII = mask(range(128))
_ANY = _ASCII | 1 << WORD | 1 << OTHER


def _any_case(word: bytes) -> Pattern:
    return row(*[one(bytes({*bytes([char]).lower(), *bytes([char]).upper()})) for char in word])


@lru_cache(maxsize=1)
def _domains() -> tuple[list[str], list[str], list[str]]:
    """Give top-level domains in three groups: the start of no other, of one a letter longer, of two in a row."""
    lines = files(__package__).joinpath("top_level_domains.txt").read_text("ascii").splitlines()
    known = set(" ".join(line for line in lines if not line.startswith("#")).split())
    longer: dict[str, list[str]] = {}
    for name in known:
        longer.setdefault(name[:-1], []).append(name)
    groups: tuple[list[str], list[str], list[str]] = ([], [], [])
    for name in sorted(known):
        above = longer.get(name, [])
        groups[0 if not above else 2 if any(longer.get(other) for other in above) else 1].append(name)
    return groups


def _tree(names: Iterable[str]) -> Pattern:
    """Match one of several names, sorted, in a tree of their letters."""
    branches: dict[str, list[str]] = {}
    done = False
    for name in names:
        if name:
            branches.setdefault(name[0], []).append(name[1:])
        else:
            done = True
    ways = [row(_any_case(first.encode()), _tree(rest)) for first, rest in branches.items()]
    return either(*ways, *[row()] * done) if ways else row()


_ALNUM = one(_LETTER + _DIGIT)
_LABEL = row(_ALNUM, maybe(row(many(one(_LETTER + _DIGIT + b"-")), _ALNUM)))
_LABELS = row(_LABEL, many(row(text(b"."), _LABEL)))


def _address() -> tuple[Pattern, Pattern]:
    """Match an IPv4 address; an IPv6 address in brackets."""
    octet = either(
        row(times(text(b"0"), 0, 2), one(_DIGIT)),
        row(maybe(text(b"0")), one(b"123456789"), one(_DIGIT)),
        row(text(b"1"), one(_DIGIT), one(_DIGIT)),
        row(text(b"2"), either(row(one(b"01234"), one(_DIGIT)), row(text(b"5"), one(b"012345")))),
    )
    four = row(octet, *[row(text(b"."), octet)] * 3)
    hexes = times(one(_HEX), 1, 4)
    pair = row(hexes, text(b":"))
    last = either(four, row(pair, hexes))
    ends = [row(*[pair] * 4, last), row(*[pair] * 3, last), row(*[pair] * 2, last), row(pair, last), last, hexes, row()]
    shortened = [maybe(row(times(pair, 0, count), hexes)) for count in range(7)]
    six = either(
        row(*[pair] * 6, last),
        row(text(b"::"), *[pair] * 5, last),
        *(row(before, text(b"::"), after) for before, after in zip(shortened, ends, strict=True)),
    )
    return four, row(text(b"["), six, text(b"]"))


def _mail_local() -> Pattern:
    # Commas and full stops too: in the scanner's source "+-/" is a range.
    atom = some(one(_LETTER + _DIGIT + b"!#$%&'*+,-./=?^_`{|}~"))
    escaped = row(text(b"\\"), one(_ASCII))
    plain = one(_ASCII & ~mask(b'\0\t\n\r"\\'))
    label = either(atom, row(text(b'"'), many(either(plain, escaped)), text(b'"')))
    return row(label, many(row(text(b"."), label)))


def _mail_literal() -> Pattern:
    plain = one(_ASCII & ~mask(b"\0\t\n\r[\\]"))
    return row(text(b"["), many(either(plain, row(text(b"\\"), one(_ASCII)))), text(b"]"))


@lru_cache(maxsize=2)
def grammar(plain_hosts: bool) -> Automaton:
    """Give the automaton over ASCII, `WORD` and `OTHER`; with the rules for hosts on their own, or without."""
    percent = row(text(b"%"), one(_HEX), one(_HEX))
    plain = _LETTER + _DIGIT + b"-._~"
    login = many(either(one(plain + b"!$&'()*+,;="), percent))
    rest = many(either(one(plain + b"!$&'()*+,;=:@/?"), percent))
    port = row(text(b":"), times(one(_DIGIT), 1, 5))
    path = some(row(text(b"/"), many(either(one(plain + b";:@&="), percent))))
    query, fragment = row(text(b"?"), rest), row(text(b"#"), rest)
    four, six = _address()
    loose = either(six, four, _LABELS)
    authority = row(maybe(row(login, maybe(row(text(b":"), login)), text(b"@"))), loose, maybe(port))
    segment = many(either(one(plain + b"?:@&="), percent))
    file_path = some(row(text(b"/"), segment))
    kind = row(text(b";"), _any_case(b"type"), text(b"="), one(b"aAiIdD"))

    made = Automaton()
    web = row(_any_case(b"http"), maybe(one(b"sS")), text(b"://"), authority)
    made.rule(URL, row(web, maybe(path), maybe(query), maybe(fragment)))
    made.rule(URL, row(_any_case(b"ftp"), text(b"://"), authority, file_path, maybe(kind), maybe(fragment)))
    made.rule(URL, row(_any_case(b"file"), text(b"://"), maybe(loose), file_path, maybe(fragment)))

    before_domain = made.extend(0, row(_LABELS, text(b".")))
    root = maybe(text(b"."))
    hosts = [made.extend(before_domain, row(_tree(names), root)) for names in _domains()]
    hosts[0] = made.link([hosts[0], made.extend(0, four), made.extend(0, six)])
    host = made.link(hosts)
    after = either(
        row(port, maybe(path), maybe(query), maybe(fragment)),
        row(path, maybe(query), maybe(fragment)),
        row(query, maybe(fragment)),
        fragment,
    )
    made.accept(URL, made.extend(host, after))
    made.accept(HOST, made.extend(host, one(_ANY & ~_WORD)))
    if plain_hosts:
        for number, group in zip(PLAIN_HOSTS[::2], hosts, strict=True):
            made.accept(number, made.extend(group, one(_WORD)))
            made.accept(number + 1, group)

    names = sorted(name for group in _domains() for name in group)
    mail = row(_mail_local(), text(b"@"), either(row(_LABELS, text(b"."), _tree(names), root), _mail_literal()))
    made.rule(MAILTO, row(_any_case(b"mailto:"), mail))
    made.rule(MAIL, mail)
    return made

"""Counts in English sentences."""


def many(count: int, thing: str, does: str = "") -> str:
    """Write a count with what is counted, and what that does.

    Examples
    --------
    >>> many(1, "row"), many(4200, "row"), many(1, "chunk", "start"), many(2, "chunk", "start")
    ('1 row', '4,200 rows', '1 chunk starts', '2 chunks start')
    """
    one = count == 1
    return f"{count:,} {thing}{'' if one else 's'}" + (f" {does}{'s' if one else ''}" if does else "")

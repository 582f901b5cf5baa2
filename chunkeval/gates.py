"""Gates: what the caller states must hold, else the command fails with exit code 1."""

from __future__ import annotations

from dataclasses import dataclass

from chunkeval.bounds import share_of
from chunkeval.errors import ConfigError, GateError


@dataclass(frozen=True)
class MaxFlagged:
    """At most this many chunks, or this share of them, may be flagged."""

    stated: str
    count: int | None = None
    share: float | None = None

    @classmethod
    def parse(cls, text: str) -> MaxFlagged:
        """Read ``5%``, ``0.05`` (shares) or ``200`` (chunks).

        Raises
        ------
        ConfigError
            It is none of these.

        Examples
        --------
        >>> MaxFlagged.parse("5%").share, MaxFlagged.parse("200").count
        (0.05, 200)
        """
        if text.strip().isdecimal():
            return cls(text, count=int(text))
        share = share_of(text)
        if share is None:
            raise ConfigError(
                f"--max-flagged {text!r}: give a share from 0% to 100% (5% or 0.05) or a number of chunks (200)"
            )
        return cls(text, share=share)

    def check(self, flagged: int, chunks: int, what: str = "flagged") -> None:
        """Fail where more is flagged than stated.

        Raises
        ------
        GateError
            The message gives both numbers.
        """
        share = flagged / chunks if chunks else 0.0
        over = flagged > self.count if self.count is not None else self.share is not None and share > self.share
        if over:
            allowed = f"{self.share * 100:.6g}%" if self.share is not None else f"{self.count:,}"
            are = "is" if flagged == 1 else "are"
            raise GateError(
                f"{flagged:,} of {chunks:,} chunks {are} {what} ({share:.1%}); --max-flagged allows {allowed}"
            )

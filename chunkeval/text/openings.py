"""Whether a text begins inside a sentence, as far as its first words tell, or with words that point back."""

from __future__ import annotations

import regex

_MARKUP = regex.compile(r"(?:[ \t]*>)*[ \t]*(?:[*_~`\"'“‘(「『《〈<\[【]|!\[)*")
_CLOSING = regex.compile(
    r"[,、，。．；)）」』》〉】”’%](?![)\w]*[:)(])"
    r"|[\]}](?=\s|[,.;)])|\.(?=[\s\"'”’)])|[;:!?！？](?=[\s\"'”’)])|['’](?:s|t|re|ve|ll|d|m)\s"
)
"""What closes something that was opened before."""
_DOTS = regex.compile(r"\.{2,}|…|‥")
_LOWER = regex.compile(
    r"\p{Ll}[\p{Ll}\p{M}'’-]*(?=(?:[,.;)!?]?\s|[,.;)!?]|\Z))(?!\s*(?:[-–—:=(|]|->|=>)\s)(?![.]\w)(?!(?: [^\s:]+){1,2}:\s)"
)
_CJK = regex.compile(r"[가-힣\p{Han}\p{Hiragana}\p{Katakana}]")
_CAPITAL = regex.compile(r"\p{Lu}")

_PARTICLE = (
    "을|를|은|는|의|와|과|에|에서|에게|으로|로|까지|부터|처럼|이라고|라고|라는|이라는|이며|이고|이란|에는|에도|에서는|에서도|으로는|로는"
    "|으로서|로서|로써|으로써|들은|들이|들을|들의|들도|들에게|이지만|였고|이었고|었고|았고|했고|됐고|었으며|았으며|으며|으면|면서|지만|는데"
    "|었지만|았지만|었는데|았는데|습니다만|니다만|는다고|다고|다는|다며|므로|으므로|니까|으니|려고|으려고|거나|든지|던|려면|으려면|도록|됩니다"
    "|입니다|합니다|습니다|니다|었다|았다|였다|겠다|이었다|었던|았던|였던"
)
_KOREAN = regex.compile(
    rf"(?:{_PARTICLE})(?=[ ,.!?)\n\]}}」』”’\"']|\Z)"
    r"|(?!그렇|맞|좋|아니|아닙|고맙|감사|그래|왜|네|예|어때|같이)(?:[가-힣]{1,2}(?<=[다요까죠])|것이다|것입니다|때문이다|하였다|되었다|하십시오|주십시오)[.!?](?=\s|[\"'”’)]|\Z)"
)
"""Particles and endings that stand alone where a word was cut; a last word with its mark."""
_NOUN = regex.compile(r"은 (?=[한두세네]|[가-힣]*[금값])|의 (?=식|상)|과 (?=사무|대표)|로 (?=마)")
_KANA = regex.compile(
    r"[をはがにのでとも、](?=[\p{Han}\p{Katakana}、])|[ぁぃぅぇぉっゃゅょァィゥェォッャュョー]|[をんン]|(?:した|ます|です|ない|った|いる|ている)[。、]"
)
_HAN = regex.compile(r"[的了们着吗呢吧](?=[\p{Han}，。、])")

_BACK = regex.compile(
    r"(?:이는|이를|이에|이로|이로써|이와|이런|이러한|이렇게|이처럼|이때|이후|이어서?|이들은?|이들[이의을]|그는|그녀[는가의]|그의|그가"
    r"|그를|그들[은이의]?|그러나|그런데|그리고|그래서|그러므로|그렇지만|그렇다면|그럼에도|그러면|그럼|그러자|그러니|그중|그것[은이을도]?"
    r"|그 밖에|그런|그렇게|하지만|또한|또|따라서|즉|반면에?|반대로|한편"
    r"|게다가|더구나|더욱이|다만|단|결국|마찬가지로|예컨대|아울러|나아가|오히려"
    r"|여기서|거기서|거기에|앞서|이상과|위와|위의|앞의|상기|이것[은이을도]?|저런|왜냐하면|그다음|그제야|그때)(?=[ ,])"
    r"|(?:이|그) (?:때문|결과|경우|점[은이을에]|중|가운데|과정|방법|밖에|외에|무렵|시기|뒤|후|덕분|대신|둘|셋|말|사실)"
    r"|예를 들[어면]|이[를에로] "
    r"|(?:However|Moreover|Furthermore|Therefore|Thus|Hence|Consequently|Nevertheless|Nonetheless|Meanwhile|Additionally|Similarly"
    r"|Likewise|Otherwise|Instead|Accordingly|Conversely|Besides|Also|But|And|So|Yet|Or|Nor|Then|It|Its|It's|They|Them|Their|These|Those"
    r"|That|He|She|His|Her|Him|Such|Both|Afterwards?|Later|Here|There)(?=[ ,'’])"
    r"|This(?= (?!(?:guide|document|page|chapter|section|book|paper|manual|article|tutorial|policy|agreement|handbook|license)\b))"
    r"|In addition|As a result|As such|For (?:example|instance|this)|In contrast|On the other hand|In other words|By contrast"
    r"|At the same time|The (?:former|latter|same|above|other)\b|After (?:this|that)|Because of (?:this|that)|Despite (?:this|that)"
    r"|但是|但[，是]|然而|因此|所以|此外|另外|这[些个种样是一]?|它们?|他们?|她们?|其中?|而且|不过|于是|同时|例如|反之|也就是说|总之|接着|随后"
    r"|這[些個種樣是一]?|しかし|また[、は]|そして|そのため|そこで|それ|その|これ|この|ただし|さらに|一方|つまり|したがって|例えば|たとえば|だが"
    r"|なお、|ところが|ところで|彼[らはのが女]|すると|だから|ゆえに"
)


def continues(text: str, start: int, line: str) -> bool:
    r"""Whether a text begins inside a sentence: with what closes a bracket or clause, a small letter, a cut word's end.

    Korean and Chinese have no capitals: a start between two words of a sentence shows only in the chunk before.

    Parameters
    ----------
    text
        The whole text, in composed form.
    start
        Where its first line of prose begins.
    line
        That line.

    Examples
    --------
    >>> [continues(text, 0, text) for text in ("는 규칙이다.", ", and so on.", "which The man saw.", "규칙은 이렇다.", "The man.")]
    [True, True, True, False, False]
    """
    if _DOTS.match(line):
        return False
    if _CLOSING.match(line):
        return True
    first = _MARKUP.match(line)
    at = first.end() if first else 0
    if _KOREAN.match(line, at):
        return not _NOUN.match(line, at)
    if _KANA.match(line, at) or _HAN.match(line, at):
        return at == 0
    if _LOWER.match(line, at) and "`" not in line[:at]:
        return _CJK.search(line[:48]) is None and _CAPITAL.search(text, start) is not None
    return False


def points_back(line: str) -> bool:
    """Whether a line opens with words that mean something said before it.

    Examples
    --------
    >>> points_back("이는 규칙이다."), points_back("However, it rained."), points_back("이 제품은 좋다.")
    (True, True, False)
    """
    first = _MARKUP.match(line)
    return _BACK.match(line, first.end() if first else 0) is not None

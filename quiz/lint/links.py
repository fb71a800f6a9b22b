"""Links that can be followed: http or https, with a host, and no blanks."""

import re
from collections.abc import Iterator

from quiz.lint.texts import without_code

_LINK = re.compile(r"https?://[^\s/?#@:]+(?::\d{1,5})?(?:[/?#]\S*)?", re.IGNORECASE)
_MARKDOWN = re.compile(r"\]\(([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?)\)")


def link_slip(url: str) -> tuple[str, str] | None:
    """What is wrong with an address, and what to do; None if it is well formed."""
    if url != url.strip() or re.search(r"\s", url):
        return "there is a blank in the address", "write %20 for a blank, or remove it"
    if not re.match(r"https?://", url, re.IGNORECASE):
        return "the address does not begin with https://", "write it in full, as in https://arxiv.org/abs/1706.03762"
    host = re.split(r"[/?#]", url.partition("://")[2], maxsplit=1)[0]
    if not _LINK.fullmatch(url) or "." not in host.strip("."):
        return f"{host!r} is no host", "write it in full, as in https://arxiv.org/abs/1706.03762"
    return None


def links_in(markdown: str) -> Iterator[str]:
    """The addresses of the links in a text."""
    for found in _MARKDOWN.finditer(without_code(markdown)):
        address = re.sub(r"\s+[\"'][^\"']*[\"']$", "", found[1].strip())
        yield address.removeprefix("<").removesuffix(">")

import pytest

from quiz.lint.links import link_slip, links_in


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/1706.03762",
        "http://example.org",
        "HTTPS://example.org/a",
        "https://example.org:8080/a?b=c#d",
        "https://en.wikipedia.org/wiki/Attention_(machine_learning)",
        "https://example.org/%20a",
        "https://münchen.example/a",
    ],
)
def test_a_link_that_can_be_followed_is_fine(url: str) -> None:
    assert link_slip(url) is None


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("arxiv.org/abs/1706.03762", "does not begin with https://"),
        ("javascript:alert(1)", "does not begin with https://"),
        ("file:///etc/passwd", "does not begin with https://"),
        ("ftp://example.org", "does not begin with https://"),
        ("https://", "is no host"),
        ("https:///abs", "is no host"),
        ("https://arxiv", "is no host"),
        ("https://user@example.org", "is no host"),
        ("https://example.org:99999999/", "is no host"),
        ("https://example.org/a b", "blank"),
        (" https://example.org", "blank"),
    ],
)
def test_a_link_that_leads_nowhere_is_told_why(url: str, said: str) -> None:
    slip = link_slip(url)
    assert slip is not None
    assert said in slip[0]
    assert slip[1]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("See [the paper](https://example.org/a).", ["https://example.org/a"]),
        ("[a](https://example.org/x_(y)) and [b](<z>)", ["https://example.org/x_(y)", "z"]),
        ('[a](https://example.org "A title")', ["https://example.org"]),
        ("`[a](b)` is code, and so is\n```\n[c](d)\n```", []),
        ("x[i](j) is a call", ["j"]),
        ("no link (at all) [here]", []),
    ],
)
def test_the_links_of_a_text_are_found_outside_of_code(text: str, links: list[str]) -> None:
    assert list(links_in(text)) == links

from __future__ import annotations

from gradlint.report.explain import render
from gradlint.report.style import Style

PAGE = """\
# rule-name

Some **bold** prose with `code`.

```py
x = 1  # error
y = 2  # ok
```

## Fix
"""


def test_without_colour_the_page_is_itself() -> None:
    assert render(PAGE, Style()) == PAGE
    assert render("no end", Style()) == "no end\n"


def test_on_a_terminal() -> None:
    assert render(PAGE, Style(colour=True)).split("\n") == [
        "\x1b[1mrule-name\x1b[0m",
        "",
        "Some \x1b[1mbold\x1b[0m prose with \x1b[36mcode\x1b[0m.",
        "",
        "    \x1b[36mx = 1  \x1b[0m\x1b[31;1m# error\x1b[0m",
        "    \x1b[36my = 2  \x1b[0m\x1b[2m# ok\x1b[0m",
        "",
        "\x1b[1mFix\x1b[0m",
        "",
    ]

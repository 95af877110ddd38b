"""Makes the site of the repository's own files: README.md is its first page, rules/ its reference.

Links are written for readers of the repository; here they are made to hold on the site, too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).parents[1]
SOURCE = "https://github.com/torch-gradlint/gradlint/blob/main"
FIRST = ("configuration", "ci", "editors", "notebooks", "limits")
WHOLE = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
_LINK = re.compile(r"(?<=\]\()(?P<to>[\w./-]+)(?P<anchor>#[\w-]+)?(?=\))")
_FENCE = re.compile(r"^```(py|python) fixed$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The navigation: what a reader needs first comes first, then all rules by category."""
    found = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))
    guides = [name for name in FIRST if name in found] + [name for name in found if name not in FIRST]
    config.nav = [
        {"Overview": "index.md"},
        {"Guides": [f"{name}.md" for name in guides]},
        {"Rules": [{category: [f"rules/{name}.md" for name in names]} for category, names in _categories().items()]},
        {"Project": ["changelog.md", "contributing.md"]},
    ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what lies outside of docs/."""
    for name, page in WHOLE.items():
        files.append(File.generated(config, page, content=_page(name, page)))
    for path in sorted((ROOT / "rules").glob("*.md")):
        name = f"rules/{path.name}"
        files.append(File.generated(config, name, content=_page(name, name)))
    return files


def on_page_markdown(markdown: str, page: object, config: MkDocsConfig, files: Files) -> str:
    """Let the links of pages in docs/ hold, too."""
    name = page.file.src_uri  # type: ignore[attr-defined]
    return markdown if files.get_file_from_path(name).generated_by else _linked(markdown, f"docs/{name}", name)


def _categories() -> dict[str, list[str]]:
    from gradlint.rules.support.rule import all_rules

    found: dict[str, list[str]] = {}
    for rule in all_rules():
        found.setdefault(rule.category, []).append(rule.name)
    return found


def _page(source: str, page: str) -> str:
    text = (ROOT / source).read_text(encoding="utf-8")
    return _linked(_FENCE.sub(r'```\1 title="fixed"', _COMMENT.sub("", text)), source, page)


def _linked(text: str, source: str, page: str) -> str:
    """A page whose links to files of the repository lead to their pages, or to the repository itself."""

    def link(match: re.Match[str]) -> str:
        target = (ROOT / source).parent.joinpath(match["to"]).resolve()
        if not target.is_relative_to(ROOT) or not target.exists():
            return match[0]
        inside = target.relative_to(ROOT).as_posix()
        to = WHOLE.get(inside, inside.removeprefix("docs/"))
        picture = inside.startswith("docs/") and inside.endswith(".svg")
        if not (inside.endswith(".md") or picture) or inside.count("/") > 1:
            return f"{SOURCE}/{inside}"
        return "../" * page.count("/") + to + (match["anchor"] or "")

    return _LINK.sub(link, text)

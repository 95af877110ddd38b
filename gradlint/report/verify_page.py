"""The wet run as one page of HTML: readable without explanation, nothing loaded from anywhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from gradlint.report import verify, verify_plot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.verify.result import Loop, Trial

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
h2 { margin-top: 3rem; font-size: 1.1rem } h2 code { font-size: 1rem }
.confirmed { color: #1e8449 } .differs { color: #c0392b } .inconclusive { color: #b9770e }
table { border-collapse: collapse; margin: 1rem 0 } td, th { padding: .25rem .9rem .25rem 0; text-align: left }
th { font-weight: 600; border-bottom: 1px solid #999 } td { font-family: ui-monospace, monospace; font-size: 13px }
td:first-child { font-family: inherit; font-size: inherit } td.wrong { color: #c0392b; font-weight: 600 }
figure { margin: 1rem 0 } figcaption { color: #555; font-size: 13px } svg { max-width: 100%; height: auto }
.small { color: #555; font-size: 13px } @media print { h2 { page-break-before: auto } }
"""
_INTRODUCTION = """
<p>Each training loop below was run, with its own order of backward, clip, unscale, step and scheduler calls, on a tiny
model with real torch. Before every optimizer step the gradient was taken apart: how much of each micro-batch's own
gradient is in it? Those weights, beside the ones that the mean over the window has, are the measured ledger.</p>
<ul>
<li><b class="confirmed">confirmed</b>: in every configuration and regime that was run, no mistake shows, every window
was filled, every backward spent, and all that works on gradients was run. What was not looked at stands below the
table.</li>
<li><b class="differs">differs</b>: something the loop did is not what it means; line and measurement are given.</li>
<li><b class="inconclusive">inconclusive</b>: the loop could not be judged, for the reason given.</li>
</ul>
<p class="small">The verdict is about the order and the arithmetic of the loop. It says nothing about the real model,
the real loss, branches that depend on the data, or batch normalisation.</p>
"""


def render(trials: Sequence[Trial], summary: str) -> str:
    """The whole page."""
    body = "\n".join(line for trial in trials for line in _trial(trial))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>gradlint verify</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>gradlint verify</h1>\n<p>{escape(summary.strip())}</p>\n"
        f"{_INTRODUCTION}\n{body}\n</body>\n</html>\n"
    )


def _trial(trial: Trial) -> Iterator[str]:
    loop = trial.before
    place = f"{trial.path}:{loop.where}"
    word = loop.verdict.value
    name = "module body" if loop.name == "<module>" else loop.name
    yield f'<h2><code>{escape(place)}</code> {escape(name)}: <span class="{word}">{word}</span></h2>'
    yield from _seen(loop)
    yield from _outcome(trial)
    for optimizer in verify.optimizers(loop):
        yield from _table(trial, optimizer)
        yield from _pictures(trial, optimizer)
    remarks = list(verify.remarks(loop))
    if remarks:
        yield '<p class="small">' + "<br>".join(escape(one) for one in remarks) + "</p>"


def _seen(loop: Loop) -> Iterator[str]:
    if loop.reason:
        yield f"<p>{escape(f'{loop.reason}: {loop.detail}' if loop.detail else loop.reason)}</p>"
    if loop.shown:
        items = (f"<li><b>{escape(s.rule)}</b>, {s.where}: {escape(s.text)}</li>" for s in loop.shown)
        yield f"<ul>{''.join(items)}</ul>"


def _outcome(trial: Trial) -> Iterator[str]:
    if trial.confirmed:
        yield '<p class="confirmed">The repair is confirmed: what was wrong was measured before and is gone after.</p>'
    elif trial.reason:
        yield f'<p class="differs">The repair is not confirmed: {escape(trial.reason)}</p>'


def _table(trial: Trial, name: str) -> Iterator[str]:
    after = trial.after is not None
    head = ["", "as written", *(["after the fix"] if after else []), "reference"]
    window = f", window of {trial.before.window}" if trial.before.window else ""
    head[0] = f"{name}{window}"
    yield "<table><tr>" + "".join(f"<th>{escape(one)}</th>" for one in head) + "</tr>"
    for line in verify.rows(trial, name):
        wrong = ' class="wrong"' if line.reference not in ("", "-") and line.written != line.reference else ""
        cells = [f"<td>{escape(line.title)}</td>", f"<td{wrong}>{escape(line.written)}</td>"]
        cells += [f"<td>{escape(line.fixed)}</td>"] if after else []
        yield "<tr>" + "".join(cells) + f"<td>{escape(line.reference)}</td></tr>"
    yield "</table>"


def _pictures(trial: Trial, name: str) -> Iterator[str]:
    yield f"<figure>{verify_plot.weights(trial, name)}"
    yield "<figcaption>How much of each micro-batch every update consumed (clip inactive).</figcaption></figure>"
    acts = " while the clip acts" if trial.before.limit else ""
    yield f"<figure>{verify_plot.norms(trial, name)}"
    yield f"<figcaption>The norm of the gradient that each update consumed{acts}.</figcaption></figure>"

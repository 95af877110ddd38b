from __future__ import annotations

from dataclasses import replace

from builders import LOOP, event, finding, region, span

from gradlint.model.finding import Related
from gradlint.model.trace import RegionTrace, ScenarioTrace
from gradlint.report.flow import LONGEST, flow


def of(*kinds: str, batches: int = 3) -> RegionTrace:
    """A loop with these events in every batch."""
    places = {"zero_grad": "optimizer.zero_grad()", "forward": "model(batch)", "backward": "loss.backward()"}
    places |= {"step": "optimizer.step()", "clip": "clip_grad_norm_(model.parameters(), 1.0)"}
    events = [event(kind, places[kind], ("epoch", 0), ("batch", number)) for number in range(batches) for kind in kinds]
    return region(scenarios=(ScenarioTrace((), tuple(events), ()),))


def at(piece: str, *related: str) -> object:
    return finding(span=span(LOOP, piece), related=tuple(Related(span(LOOP, one), "") for one in related))


def kinds(*args: object) -> list[str]:
    return [stop.event.kind for stop in flow(*args)]


def test_from_the_window_s_beginning_to_its_step() -> None:
    loop = of("zero_grad", "forward", "backward", "step")
    assert kinds(at("loss.backward()"), [loop]) == ["zero_grad", "forward", "backward", "step"]


def test_a_step_that_takes_part_is_shown_before_the_finding() -> None:
    loop = of("forward", "backward", "step", "clip")
    assert kinds(at("clip_grad_norm_", "optimizer.step()"), [loop]) == ["forward", "backward", "step", "clip"]


def test_what_takes_part_is_essential() -> None:
    loop = of("forward", "backward", "step", "clip")
    stops = flow(at("clip_grad_norm_", "optimizer.step()"), [loop])
    assert [stop.event.kind for stop in stops if stop.essential] == ["step", "clip"]


def test_the_text_of_a_stop() -> None:
    loop = of("backward", "step")
    first, last = flow(at("loss.backward()"), [loop])
    assert first.text == "backward of loss (epoch 0, batch 0)"
    assert last.text == "step of optimizer (epoch 0, batch 0)"


def test_a_place_without_an_event_is_spoken_for_by_its_related_lines() -> None:
    loop = of("forward", "backward", "step")
    assert kinds(at("for batch in loader", "loss.backward()"), [loop]) == ["forward", "backward", "step"]
    assert kinds(at("for batch in loader"), [loop]) == []


def test_the_first_world_that_has_the_event() -> None:
    loop = of("forward", "backward", "step")
    (scenario,) = loop.scenarios
    without = replace(scenario, events=tuple(one for one in scenario.events if one.kind != "backward"))
    both = replace(loop, scenarios=(without, scenario))
    assert kinds(at("loss.backward()"), [both]) == ["forward", "backward", "step"]


def test_no_trail_is_endless() -> None:
    loop = of("forward", "backward", batches=500)
    assert len(flow(at("loss.backward()"), [loop])) <= LONGEST
    assert len(flow(at("loss.backward()", "optimizer.step()"), [loop])) <= LONGEST

"""The harness sees harm where harm is planted; its loops run as they are meant to; a sample of them is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from harm.case import Case, Skeleton, discover, drop, swap
from harm.judge import Repaired, Verdict, flaws, judge
from harm.reality import DIED, HUNG, LOST, Reality

SKELETONS, CASES = 520, 4291  # at least so many are here
SAMPLE = 20  # every so many-th case is judged here, and all that were harmed once; `make harm` judges all

# Cases that a safe repair harmed when the harness first ran.
HARMED_ONCE: frozenset[str] = frozenset(
    {
        "attacked-before-it-learns/by-a-helper-never-cleared",
        "attacked-before-it-learns/never-cleared",
        "blade-under-a-context/cleared-at-each-pull",
        "quires-weighed-by-words/rate-by-the-leaf",
        "reindeer-that-adapt/rate-falls-by-the-task",
        "rotor-by-options/warm-up-is-counted-from-one",
        "snow-from-a-hypernet/undivided-and-clip-behind",
        "taken-up-by-an-option/an-option-adds-one",
        "taken-up-by-an-option/an-option-asks",
        "taken-up-by-an-option/an-option-asks-undivided",
        "pupil-and-master/trained-in-the-first-term-only",
        "stages-of-growing-windows/rate-moves-with-each-batch",
        "pollinators/critic-cleared-for-every-flower",
        "pollinators/rates-fall-at-the-head-of-the-epoch",
        "sapling-twins/head-is-held-in-the-first-epoch",
        "tide-table/plan-is-laid-out-in-weeks",
        "bee-seasons/first-rate-of-the-ramp-is-nought",
        "foragers/hooks-take-the-share",
        "pilot-fleet/common-pull-is-told-each-time",
        "pilot-fleet/last-tide-is-remembered-by-its-place",
        "scaled-beam/factor-taken-from-the-scaler",
        "actor-critic/critic-never-cleared",
        "counted-in-micro-batches/lambda-of-micro-batches",
        "counting-from-elsewhere/summed-and-divided-in-the-unit-of-the-limit",
        "dcgan-script/both-never-cleared",
        "dcgan-script/d-never-cleared",
        "ddp-scaler-and-window/tail-without-sync-backward-alone",
        "ddp-unwrapped-calls/coalesced",
        "distributed-sampler/seed-by-hand",
        "gan-trainer-class/discriminator-never-cleared",
        "gradient-surgery/cleared-when-collected",
        "gradients-as-momentum/cleared-now-and-then",
        "gradients-as-momentum/decayed-in-front-of-the-backward",
        "gradients-as-momentum/decayed-inline",
        "gradients-as-momentum/foreach",
        "gradients-as-momentum/helper-decays",
        "gradients-as-momentum/sign-of-the-sum",
        "gradients-read-after-the-step/decayed",
        "gradients-read-after-the-step/decayed-by-foreach",
        "gradients-read-after-the-step/first-layer-kept-over-two",
        "gradients-read-after-the-step/never-cleared-but-shown",
        "loss-attribute/assigned-back",
        "loss-attribute/cleared-at-the-top",
        "loss-attribute/div-method",
        "loss-attribute/divided-in-place",
        "loss-attribute/divided-in-the-model",
        "no-sync-and-a-flush/last-forgotten-backward-only",
        "nonfinite-continue/scaled-clip-and-no-update",
        "nonfinite-continue/scaled-clip-and-no-update-by-math",
        "nonfinite-return/scaled-clip-and-no-update",
        "number-or-tensor/aux-may-be-an-int",
        "number-or-tensor/aux-may-be-an-int-in-a-list",
        "number-or-tensor/both-keep-graphs",
        "optimizers-in-a-dictionary/schedules-counted-in-micro-batches",
        "partial-clearing/hidden-while-the-dense-part-steps",
        "sampler-or-none/alone-random-untold",
        "sampler-or-none/alone-untold",
        "scaled-at-the-update/foreach",
        "skip-in-window/bad-loss-times-zero",
        "skip-on-norm/never-cleared",
        "trunk-in-eval/left-in-eval",
        "wgan-critics/critic-cleared-with-the-generator",
        "wgan-critics/critic-never-cleared",
        "stages-of-growing-windows/cleared-with-each-batch",
        "fit-by-lbfgs/closure-does-not-clear",
        "epochs-over-a-buffer/rollout-and-lesson-both-without-dropout",
        "minibatches-of-a-rollout/same-mode-for-playing-and-learning",
        "cable-language-recipe/both-backwards-among-the-halves",
        "cider-house/norm-of-every-crate-is-read",
        "pier-actor-critic/weights-are-named-ahead-of-the-new-head",
        "stamps-in-a-queue/backward-among-the-halves",
        "three-moulds-of-one-melt/melt-and-weights-are-clipped-while-scaled",
        "three-moulds-of-one-melt/weights-step-past-the-scaler",
        "three-moulds-of-one-melt/asked-to-sleep-and-not-called",
        "enamel-by-classes/validated-with-gradients-beside-a-fit",
        "three-moulds-of-one-melt/pores-do-not-teach-the-trunk",
        "furnace-callbacks/finder-raises-the-rate-with-every-batch-of-a-window",
        "ladle-that-pours/rate-is-counted-from-one",
        "essay-scoring-cfg/regression-without-dropout",
        "nano-gpt-micro-steps/rate-carries-the-division",
        "steps-taken-again/cleared-in-front-of-the-attempts",
        "slate-that-a-visitor-leaves/rate-of-a-count-from-one",
        "wind-with-a-critic/everything-is-cleared-last",
        "grasps-that-adapt/rate-of-inner-steps-moves-first",
        "milking-parlour/clipped-with-each-cow",
        "gripper-under-lbfgs/polish-never-clears",
        "gripper-under-lbfgs/polish-clears-at-each-touch",
        "catalyst-with-two-heads/one-head-rests-on-the-first-day",
    }
)

# Cases that a safe repair still harms; one that is mended goes over to the set above.
KNOWN_HARM: frozenset[str] = frozenset()

ALL = discover()
SAMPLED = [
    case
    for place, case in enumerate(ALL)
    if (place % SAMPLE == 0 or case.id in HARMED_ONCE) and case.id not in KNOWN_HARM
]
STILL_HARMED = [case for case in ALL if case.id in KNOWN_HARM]


@pytest.fixture(scope="module")
def reality() -> Iterator[Reality]:
    with Reality() as reality:
        yield reality


LOOP = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)

def main():
    model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.1), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    for i in range(8):
        loss = model(torch.randn(5, 3)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        scheduler.step()
        print(f"{i} {norm:.4f}")
    return model
"""

RANKS = """
import os
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.set_default_dtype(torch.float64)

def main():
    torch.distributed.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    model = DistributedDataParallel(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    torch.manual_seed(rank)
    for i in range(4):
        loss = model(torch.randn(5, 3)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model
"""


def judged(case: Case, repaired: str, reality: Reality) -> Verdict:
    return judge(case, reality, lambda _: Repaired(repaired)).verdict


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        optimizer.zero_grad()\n", ""),
        ("loss.backward()", "(loss / 2).backward()"),
        ("loss.backward()", "lost.backward()"),
        ("scheduler.step()", "scheduler.step(); scheduler.step()"),
        ("    for i", "    model.eval()\n    for i"),
        ("{norm:.4f}", "{loss:.4f}"),
        ("range(8)", "range(7)"),
        ("def main():", "def main()"),
        ("optimizer.zero_grad()", "model(torch.ones(1, 3)); optimizer.zero_grad()"),
    ],
)
def test_a_planted_harm_is_seen(old: str, new: str, reality: Reality) -> None:
    assert judged(Skeleton("planted").right("loop", LOOP), swap(LOOP, old, new), reality) is Verdict.HARM


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("loss.backward()", "with torch.no_grad(): dist = 1\n        loss.backward()"),
        ("loss.backward()", "(loss * 2 / 2).backward()"),
        ("optimizer.zero_grad()", "model.zero_grad(set_to_none=False)"),
    ],
)
def test_an_edit_without_effect_is_no_harm(old: str, new: str, reality: Reality) -> None:
    assert judged(Skeleton("planted").right("loop", LOOP), swap(LOOP, old, new), reality) is Verdict.KEPT


def test_a_loop_left_as_it_is(reality: Reality) -> None:
    assert judged(Skeleton("planted").right("loop", LOOP), LOOP, reality) is Verdict.UNTOUCHED


def test_a_right_repair_is_right_and_another_one_harm(reality: Reality) -> None:
    written = drop(LOOP, "optimizer.zero_grad()")
    case = Skeleton("planted").wrong("loop", written, LOOP, tempts=("missing-zero-grad",))
    assert not flaws(case, reality)
    assert judged(case, swap(LOOP, "optimizer.zero_grad()", "model.zero_grad()"), reality) is Verdict.RIGHT
    assert judged(case, swap(written, "loss.backward()", "(loss / 2).backward()"), reality) is Verdict.HARM


def test_a_graph_kept_alive_is_seen(reality: Reality) -> None:
    case = Skeleton("planted").right("loop", LOOP)
    keeping = swap(LOOP, "    for i", "    kept = []\n    for i", "        print", "        kept.append(loss); print")
    assert judged(case, keeping, reality) is Verdict.HARM
    leak = Skeleton("planted").wrong("loop", keeping, LOOP, tempts=("loss-graph-leak",))
    assert judged(leak, swap(keeping, "append(loss)", "append(loss.item())"), reality) is Verdict.RIGHT


def test_ranks_that_drift_are_seen(reality: Reality) -> None:
    case = Skeleton("planted", ranks=2).right("loop", RANKS)
    drifting = swap(RANKS, "loss = model(", "loss = model.module(")
    assert judged(case, drifting, reality) is Verdict.HARM


def test_an_all_reduce_more_is_seen(reality: Reality) -> None:
    twice = swap(RANKS, "loss.backward()", "(loss / 2).backward(); (model(torch.ones(1, 3)).sum() * 0).backward()")
    assert judged(Skeleton("planted", ranks=2).right("loop", RANKS), twice, reality) is Verdict.HARM


def test_a_rank_that_fails_ends_the_other(reality: Reality) -> None:
    outcome = reality.run(swap(RANKS, "loss.backward()", "loss.backward() if rank or i < 2 else 1 / 0"), 2)
    assert [rank.error.partition(":")[0] for rank in outcome.ranks] == ["ZeroDivisionError", LOST.partition(":")[0]]


def test_a_rank_that_hangs_is_killed(reality: Reality) -> None:
    text = swap(
        RANKS,
        "for i",
        "1 / 0 if rank else torch.distributed.destroy_process_group()\n    while not rank: pass\n    for i",
    )
    assert reality.run(text, 2).ranks[0].error == HUNG


def test_one_rank_that_the_machine_ended_runs_again(reality: Reality, tmp_path: Path) -> None:
    died = tmp_path / "died"
    text = f"""
import os
from pathlib import Path

def main():
    if not Path({str(died)!r}).exists():
        Path({str(died)!r}).touch()
        os._exit(1)
    return 3
"""
    assert not reality.run(text).ranks[0].error
    always = "import os\n\ndef main():\n    os._exit(1)\n"
    assert reality.run(always).ranks[0].error == DIED


def test_there_are_enough_loops() -> None:
    assert len({case.skeleton for case in ALL}) >= SKELETONS
    assert len(ALL) >= CASES


def test_ids_are_unique() -> None:
    assert [name for name, count in Counter(case.id for case in ALL).items() if count > 1] == []
    assert {case.id for case in ALL} >= HARMED_ONCE | KNOWN_HARM
    assert not HARMED_ONCE & KNOWN_HARM


@pytest.mark.parametrize("case", SAMPLED, ids=lambda case: case.id)
def test_texts_run_as_they_are_meant_to(case: Case, reality: Reality) -> None:
    assert flaws(case, reality) == []


@pytest.mark.parametrize("case", SAMPLED, ids=lambda case: case.id)
def test_no_repair_does_harm(case: Case, reality: Reality) -> None:
    judgement = judge(case, reality)
    assert judgement.verdict is not Verdict.HARM, "\n".join([*judgement.reasons, judgement.diff])


@pytest.mark.parametrize("case", STILL_HARMED, ids=lambda case: case.id)
def test_known_harm_is_still_done(case: Case, reality: Reality) -> None:
    assert flaws(case, reality) == []
    assert judge(case, reality).verdict is Verdict.HARM, "mended: move it to HARMED_ONCE"


def test_what_was_lost_is_named() -> None:
    """What a repair without a contract mended, and a safe one does not, is there, and the page counts it."""
    rows = (Path(__file__).parent / "lost.txt").read_text(encoding="utf-8").splitlines()[1:]
    named = [row.split("  # ") for row in rows]
    assert {name for name, _ in named} <= {case.id for case in discover() if not case.sound}
    assert all(reason for _, reason in named)
    page = (Path(__file__).parents[2] / "docs" / "reliability.md").read_text(encoding="utf-8")
    assert f"Of the 786, {len(named)} are not repaired any more" in page

"""Scripts that tempt a repair, written by people who had not seen gradlint: none is harmed; what is mended stays so.

A part is judged here each time, with all that were ever harmed; `make harm` judges all.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from harm.judge import Verdict
from harm.reality import Reality
from harm.tempts import FOLDER, Tempt, discover, judged, trajectory

SETS = (*(f"2026-11-27-{letter}" for letter in "abcdef"), *(f"2026-11-28-{letter}" for letter in "ghijklm"))
EACH = 9  # every so many-th script is judged here

# Scripts that a safe repair harmed when their set was first run.
HARMED_ONCE = frozenset(
    {
        "2026-11-27-a/bounded_memory",
        "2026-11-27-a/hook_makes_mean",
        "2026-11-27-a/pulse_rate",
        "2026-11-27-b/still_trunk",
        "2026-11-27-c/rehearsal_epochs",
        "2026-11-27-d/meter_book",
        "2026-11-27-f/skip_first",
        "2026-11-28-g/dann_trunk_hook",
        "2026-11-28-h/adapter_then_backbone",
        "2026-11-28-h/due_helper_targets",
        "2026-11-28-h/gradient_carry_over",
        "2026-11-28-i/langevin_decay",
        "2026-11-28-i/rounds_of_epochs",
        *(
            f"2026-11-28-j/{name}"
            for name in (
                "error_feedback frozen_statistics langevin_walk moving_dials paired_members pulls_on_the_net"
            ).split()
        ),
        "2026-11-28-k/mixup_boundary",
        *(
            f"2026-11-28-l/{name}"
            for name in "adaptive_limit cached_contrast norm_driven_rate polish_without_noise".split()
        ),
    }
)

# Wrong ones that are repaired right.
MENDED = frozenset(
    {
        *(
            f"2026-11-27-a/{name}"
            for name in (
                "calibrated coder_pair_amp early_limit flush_in_helper hard_examples late_head maybe_sampler mute_eval "
                "never_reduced one_flag_for_both own_decay pulse_rate risk_spread spiral_gan two_speed_tuning"
            ).split()
        ),
        *(
            f"2026-11-27-b/{name}"
            for name in (
                "annealed_ceiling common_advance flushed_segments joint_norm_amp langevin_decay late_boundary "
                "maybe_sharded pendulum_critic quiet_probe rising_difficulty signal_ratio swapped_head two_goal_amp "
                "weighted_lessons"
            ).split()
        ),
        *(
            f"2026-11-27-c/{name}"
            for name in (
                "capped_warmup cosine_updates critic_micro curriculum_index ddp_pending epoch_function "
                "frozen_norms gan_blobs hypergrad_rate joint_clip lagged_targets norms_each plateau_log "
                "rehearsal_epochs stacked_history swapped_head tail_flush_scaled temperature_fit"
            ).split()
        ),
        *(
            f"2026-11-27-d/{name}"
            for name in (
                "amp_translator batch_hooks calm_pretrain hub_finetune median_limit meter_book "
                "notebook_blobs rate_by_norm ring_gan sample_budget split_rates still_trunk two_tasks warm_rate"
            ).split()
        ),
        *(
            f"2026-11-27-e/{name}"
            for name in (
                "advance_helper annealed_limit cosine_updates full_windows_only gan_alternate joint_clip "
                "late_head_scale optional_sampler silent_mode swapped_head temperature_fit threshold_rate "
                "two_task_norms window_statistics"
            ).split()
        ),
        *(
            f"2026-11-27-f/{name}"
            for name in (
                "after_update agreement_rate both_branches bucket_sampler countdown flushed_clip late_last "
                "mid_epoch_eval mute_schedule noisy_weights pair_backward shared_clip shared_helper_clear skip_first "
                "step_behind_update update_in_loop whole_window_silent yielded_predictions"
            ).split()
        ),
        *(
            f"2026-11-28-g/{name}"
            for name in (
                "block_autocast calibrated_validation ddp_seen_counter early_clip_q energy_feedback indexed_noise "
                "langevin_rate lazy_trainable linear_decay_flush metered_windows optional_sampler ring_gan "
                "shared_apply trunk_and_head_scale"
            ).split()
        ),
        *(
            f"2026-11-28-h/{name}"
            for name in (
                "autocast_island autoencoder_two_rates domain_confusion due_helper_targets frozen_norm_backbone "
                "prefetched_batches probe_shares_flush pseudo_labels self_paced_samples temperature_follows_rate "
                "wave_closure"
            ).split()
        ),
        *(
            f"2026-11-28-i/{name}"
            for name in (
                "ddpg_point langevin_decay lookahead_amp mean_teacher self_paced shared_cadence "
                "slow_trunk_fast_head sparse_and_dense spike_guard_two_rates warmup_then_window"
            ).split()
        ),
        *(
            f"2026-11-28-j/{name}"
            for name in (
                "asked_by_closure banked_negatives frozen_statistics joint_norm langevin_walk shared_eye "
                "thawing_stages two_scaled_players two_stage_imitation"
            ).split()
        ),
        *(
            f"2026-11-28-k/{name}"
            for name in (
                "adapter_then_all domain_critic forgotten_call frozen_stem mixup_boundary probe_beside_amp "
                "target_in_the_block two_rates_one_norm update_for_each warm_then_window"
            ).split()
        ),
        *(
            f"2026-11-28-l/{name}"
            for name in (
                "soft_actor adaptive_limit norm_driven_rate shared_micro coarse_and_fine frozen_statistics "
                "late_stem slow_embedding teacher_of_itself"
            ).split()
        ),
        *(
            f"2026-11-28-m/{name}"
            for name in (
                "gan_residue curve_fit last_of_window warm_then_window ema_student still_encoder langevin_epochs "
                "probe_beside rotating_views quantised_block"
            ).split()
        ),
    }
)

ALL = list(discover())
SAMPLED = [one for place, one in enumerate(ALL) if place % EACH == EACH // 2 or one.id in HARMED_ONCE]


@pytest.fixture(scope="module")
def reality() -> Iterator[Reality]:
    with Reality() as reality:
        yield reality


def test_every_set_is_whole() -> None:
    assert tuple(sorted({one.path.parent.name for one in ALL})) == SETS
    for name in SETS:
        kinds = [one.kind for one in ALL if one.path.parent.name == name]
        assert (kinds.count("right"), kinds.count("wrong")) == (20, 20)
    assert all(one.path.is_file() and len(one.ways) == (1 if one.kind == "right" else len(one.ways)) for one in ALL)
    assert {one.id for one in ALL if one.kind == "wrong"} >= MENDED
    assert {path.name.partition(".")[0] for path in FOLDER.glob("*/*.py")} == {one.path.stem for one in ALL}


@pytest.mark.slow
@pytest.mark.parametrize("tempt", SAMPLED, ids=lambda tempt: tempt.id)
def test_no_repair_does_harm(tempt: Tempt, reality: Reality) -> None:
    told = judged(tempt, reality)
    assert told.verdict is not Verdict.HARM, (told.ended, told.repaired)
    assert not told.flawed
    if tempt.id in MENDED:
        assert told.verdict is Verdict.RIGHT


@pytest.mark.slow
def test_a_planted_harm_is_seen(reality: Reality) -> None:
    """The mistake of a wrong one is seen in its parameters, and a right one differs once it is spoilt."""
    tempt = next(one for one in ALL if one.id == "2026-11-27-b/still_trunk")
    written, *meant = (trajectory(text, reality) for text in (tempt.text, *tempt.ways))
    assert all(one != written for one in meant)
    woken = tempt.text.replace("        for part in torch.rand", "        net.train()\n        for part in torch.rand")
    assert woken != tempt.text
    assert judged(tempt, reality, lambda _: woken).verdict is Verdict.HARM
    put_back = woken.replace("net.train()\n", "net.train()\n        net.trunk.eval()\n")
    assert judged(tempt, reality, lambda _: put_back).verdict is Verdict.RIGHT

"""Methods that a class inherits from one of a library, where they leave gradients and optimizers alone.

class Tuned(transformers.Trainer):
    def train(self):
        if self.is_world_process_zero():    asks which process this is, and nothing else

What a class has itself under such a name is what it does.
"""

from __future__ import annotations

from collections.abc import Mapping

from gradlint.model.record import dataclass


@dataclass(frozen=True, slots=True)
class Inherited:
    """Methods of a class that come to the same: what they do, and their names."""

    does: str
    names: tuple[str, ...]


def _does(what: str, names: str) -> Inherited:
    return Inherited(what, tuple(names.split()))


TRAINER = (
    _does("asks which process this is", "is_world_process_zero is_local_process_zero"),
    _does("counts what there is to train on", "num_examples num_tokens"),
    _does("counts what was computed, or notes it in the state", "floating_point_ops store_flos"),
    _does("counts parameters, or asks for rates", "get_num_trainable_parameters get_learning_rates"),
    _does("logs numbers, or writes them down", "log log_metrics save_metrics metrics_format save_state"),
    _does("brings a batch to where the model is", "_prepare_input _prepare_inputs"),
    _does("gathers numbers of all processes", "_nested_gather _pad_across_processes"),
    _does("looks through saved checkpoints", "_sorted_checkpoints _rotate_checkpoints _get_output_dir"),
)
"""Those of Hugging Face's `Trainer`: https://huggingface.co/docs/transformers/main_classes/trainer."""

_TRAINERS = frozenset(
    {
        "transformers.Trainer",
        "transformers.trainer.Trainer",
        "transformers.Seq2SeqTrainer",
        "transformers.trainer_seq2seq.Seq2SeqTrainer",
    }
)

INHERITED: Mapping[str, frozenset[str]] = {name: _TRAINERS for one in TRAINER for name in one.names}
"""The qualified names of the bases that have a method, and in which it leaves gradients alone."""

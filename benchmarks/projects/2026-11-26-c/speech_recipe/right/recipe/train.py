import sys

import torch
import torch.nn.functional as F
import yaml

from core.annealing import NewBobScheduler, update_learning_rate
from core.brain import Brain, Stage
from recipe.data import make_sets
from recipe.model import Encoder


class CommandBrain(Brain):
    def compute_forward(self, batch, stage):
        feats, _ = batch
        if stage == Stage.TRAIN:
            feats = feats + 0.01 * torch.randn_like(feats)
        return self.modules["classifier"](self.modules["encoder"](feats))

    def compute_objectives(self, predictions, batch, stage):
        _, labels = batch
        if stage == Stage.VALID:
            self.errors += (predictions.argmax(-1) != labels).sum().item()
            self.seen += len(labels)
        return F.cross_entropy(predictions, labels)

    def fit_batch(self, batch):
        should_step = self.step % self.grad_accumulation_factor == 0
        predictions = self.compute_forward(batch, Stage.TRAIN)
        loss = self.compute_objectives(predictions, batch, Stage.TRAIN)
        (loss / self.grad_accumulation_factor).backward()
        self.pending = True
        if should_step:
            self.optimizers_step()
        return loss.detach().item()

    def on_stage_start(self, stage, epoch):
        self.errors, self.seen = 0, 0

    def on_stage_end(self, stage, stage_loss, epoch):
        super().on_stage_end(stage, stage_loss, epoch)
        if stage == Stage.TRAIN:
            self.train_loss = stage_loss
            return
        old_lr, new_lr = self.hparams["annealing"](stage_loss)
        update_learning_rate(self.optimizer, new_lr)
        print(f"epoch {epoch} lr {old_lr:.4g} train {self.train_loss:.4f} "
              f"valid {stage_loss:.4f} error {self.errors / self.seen:.3f} updates {self.optimizer_step_count}")


def main():
    with open(sys.argv[1]) as fin:
        hparams = yaml.safe_load(fin)
    torch.manual_seed(hparams["seed"])
    hparams["annealing"] = NewBobScheduler(hparams["lr"])

    train_set, valid_set = make_sets(hparams["batch_size"], hparams["n_mels"])
    modules = {"encoder": Encoder(hparams["n_mels"], hparams["hidden"]),
               "classifier": torch.nn.Linear(hparams["hidden"], 4)}
    brain = CommandBrain(modules, lambda p: torch.optim.Adam(p, lr=hparams["lr"]), hparams)
    brain.fit(hparams["number_of_epochs"], train_set, valid_set)


if __name__ == "__main__":
    main()

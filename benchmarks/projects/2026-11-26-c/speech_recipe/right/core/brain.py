import enum

import torch


class Stage(enum.Enum):
    TRAIN = 1
    VALID = 2


class Brain:
    """Holds the training loop; recipes fill in the forward and the objective."""

    def __init__(self, modules, opt_class, hparams):
        self.modules = torch.nn.ModuleDict(modules)
        self.optimizer = opt_class(self.modules.parameters())
        self.hparams = hparams
        self.grad_accumulation_factor = hparams["grad_accumulation_factor"]
        self.max_grad_norm = hparams["max_grad_norm"]
        self.step = 0
        self.pending = False
        self.optimizer_step_count = 0

    def compute_forward(self, batch, stage):
        raise NotImplementedError

    def compute_objectives(self, predictions, batch, stage):
        raise NotImplementedError

    def on_stage_start(self, stage, epoch):
        pass

    def on_stage_end(self, stage, stage_loss, epoch):
        if stage == Stage.TRAIN and self.pending:
            self.optimizers_step()

    def optimizers_step(self):
        torch.nn.utils.clip_grad_norm_(self.modules.parameters(), self.max_grad_norm)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.optimizer_step_count += 1
        self.pending = False

    def fit_batch(self, batch):
        raise NotImplementedError

    def evaluate_batch(self, batch, stage):
        out = self.compute_forward(batch, stage)
        return self.compute_objectives(out, batch, stage).item()

    def fit(self, epochs, train_set, valid_set):
        self.optimizer.zero_grad(set_to_none=True)
        for epoch in range(1, epochs + 1):
            self.on_stage_start(Stage.TRAIN, epoch)
            self.modules.train()
            avg = 0.0
            self.step = 0
            for i, batch in enumerate(train_set, 1):
                self.step += 1
                loss = self.fit_batch(batch)
                avg += (loss - avg) / i
            self.on_stage_end(Stage.TRAIN, avg, epoch)

            self.on_stage_start(Stage.VALID, epoch)
            self.modules.eval()
            with torch.no_grad():
                losses = [self.evaluate_batch(b, Stage.VALID) for b in valid_set]
            self.on_stage_end(Stage.VALID, sum(losses) / len(losses), epoch)

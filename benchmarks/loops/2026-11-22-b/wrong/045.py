import torch
from torch import nn, optim


class TorchAgent:
    def __init__(self, opt, model):
        self.opt = opt
        self.model = model
        self.optimizer = optim.Adamax(model.parameters(), lr=opt["learningrate"])
        self.scheduler = optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda n: min(1.0, (n + 1) / opt["warmup_updates"])
        )
        self.criterion = nn.CrossEntropyLoss(ignore_index=opt["null_idx"])
        self._number_grad_accum = 0
        self._number_training_updates = 0

    def backward(self, loss):
        freq = self.opt.get("update_freq", 1)
        if freq > 1:
            self._number_grad_accum = (self._number_grad_accum + 1) % freq
            loss = loss / freq
        loss.backward()

    def update_params(self):
        if self.opt.get("update_freq", 1) > 1 and self._number_grad_accum != 0:
            return
        self._number_training_updates += 1
        if self.opt.get("gradient_clip", -1) > 0:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.opt["gradient_clip"])
        self.optimizer.step()

    def update_lr(self):
        if self._number_training_updates > 0:
            self.scheduler.step()

    def zero_grad(self):
        if self._number_grad_accum != 0:
            return
        self.optimizer.zero_grad()

    def train_step(self, batch):
        self.model.train()
        self.zero_grad()
        scores = self.model(batch["text_vec"], batch["label_vec"])
        loss = self.criterion(scores.flatten(0, 1), batch["label_vec"].flatten())
        self.backward(loss)
        self.update_params()
        self.update_lr()
        return loss.item()


def parley(agent, stream, max_updates):
    seen = []
    for batch in stream:
        seen.append(agent.train_step(batch))
        if agent._number_training_updates >= max_updates:
            break
    return sum(seen) / len(seen)


def main(model, stream):
    opt = {
        "learningrate": 1e-3,
        "warmup_updates": 2000,
        "update_freq": 4,
        "gradient_clip": 0.1,
        "null_idx": 0,
    }
    return parley(TorchAgent(opt, model), stream, max_updates=100_000)

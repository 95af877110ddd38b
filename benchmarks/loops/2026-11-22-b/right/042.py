import torch
from torch import nn, optim


class RankerAgent:
    def __init__(self, opt, model):
        self.opt = opt
        self.model = model
        self.optimizer = optim.Adam(model.parameters(), lr=opt["learningrate"])
        self.scheduler = optim.lr_scheduler.LambdaLR(self.optimizer, self._invsqrt)
        self.update_freq = opt.get("update_freq", 1)
        self._grad_accum = 0
        self._updates = 0

    def _invsqrt(self, n):
        warmup = self.opt["warmup_updates"]
        return min((n + 1) / warmup, (warmup / (n + 1)) ** 0.5)

    def zero_grad(self):
        if self._grad_accum:
            return
        self.optimizer.zero_grad()

    def backward(self, loss):
        if self.update_freq > 1:
            self._grad_accum = (self._grad_accum + 1) % self.update_freq
            loss = loss / self.update_freq
        loss.backward()

    def update_params(self):
        if self.update_freq > 1 and self._grad_accum != 0:
            return False
        if self.opt["gradient_clip"] > 0:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.opt["gradient_clip"])
        self.optimizer.step()
        self._updates += 1
        return True

    def train_step(self, batch):
        self.model.train()
        self.zero_grad()
        scores = self.model(batch.text_vec, batch.candidate_vecs)
        loss = nn.functional.cross_entropy(scores, batch.label_inds)
        self.backward(loss)
        if self.update_params():
            self.scheduler.step()
        return loss.item()

    @torch.no_grad()
    def eval_step(self, batch):
        self.model.eval()
        scores = self.model(batch.text_vec, batch.candidate_vecs)
        return (scores.argmax(1) == batch.label_inds).float().mean().item()


def train(agent, stream, valid, max_updates, validate_every=1000):
    best = 0.0
    while agent._updates < max_updates:
        before = agent._updates
        agent.train_step(next(stream))
        if agent._updates != before and agent._updates % validate_every == 0:
            hits = [agent.eval_step(batch) for batch in valid()]
            best = max(best, sum(hits) / len(hits))
            print(agent._updates, best)
    return best

import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler, autocast

from moe.data import text_stream
from moe.model import SwitchTransformer


class MoETrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = SwitchTransformer(cfg).cuda()
        self.router_params = [p for n, p in self.model.named_parameters() if "router" in n]
        other = [p for n, p in self.model.named_parameters() if "router" not in n]
        self.optimizer = torch.optim.AdamW(
            [{"params": other}, {"params": self.router_params, "lr": cfg.router_lr}], lr=cfg.lr
        )
        self.scaler = GradScaler("cuda")
        self.step_no = 0

    @property
    def router_only(self):
        return self.step_no < self.cfg.router_warmup

    def set_trainable(self):
        router = {id(p) for p in self.router_params}
        for p in self.model.parameters():
            p.requires_grad_(id(p) in router or not self.router_only)

    def losses(self, ids):
        with autocast("cuda", dtype=torch.float16):
            logits, router_logits = self.model(ids[:, :-1])
            lm = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        probs = router_logits.float().softmax(-1).flatten(0, 1)
        load = F.one_hot(probs.argmax(-1), probs.size(-1)).float().mean(0)
        balance = probs.size(-1) * (load * probs.mean(0)).sum()
        return lm, self.cfg.balance * balance

    def train_step(self, ids):
        self.set_trainable()
        lm, balance = self.losses(ids)
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(lm).backward(retain_graph=True)
        balance.backward()
        if self.router_only:
            self.optimizer.step()
        else:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
        self.step_no += 1
        return lm.item(), balance.item()

    def fit(self):
        self.model.train()
        for ids in text_stream(self.cfg.path, self.cfg.batch, self.cfg.length):
            lm, balance = self.train_step(ids.cuda())
            if self.step_no % 50 == 0:
                print(self.step_no, round(lm, 4), round(balance, 5))
            if self.step_no >= self.cfg.total:
                break

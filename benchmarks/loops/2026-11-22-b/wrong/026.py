from dataclasses import dataclass

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import ProjectConfiguration
from transformers import AutoModelForCausalLM, AutoTokenizer, get_scheduler

from reward.data import preference_loader


@dataclass
class DPOConfig:
    model: str = "mistralai/Mistral-7B-v0.1"
    beta: float = 0.1
    lr: float = 5e-7
    accumulation: int = 16
    max_updates: int = 2000


def sequence_logp(model, ids, mask):
    logits = model(ids).logits[:, :-1].float()
    logp = logits.log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return (logp * mask[:, 1:]).sum(-1)


class DPOTrainer:
    def __init__(self, cfg: DPOConfig):
        self.cfg = cfg
        self.acc = Accelerator(
            gradient_accumulation_steps=cfg.accumulation,
            project_config=ProjectConfiguration(project_dir="runs/dpo"),
        )
        policy = AutoModelForCausalLM.from_pretrained(cfg.model, torch_dtype=torch.bfloat16)
        self.reference = AutoModelForCausalLM.from_pretrained(cfg.model, torch_dtype=torch.bfloat16)
        self.reference.requires_grad_(False).eval().to(self.acc.device)
        optimizer = torch.optim.RMSprop(policy.parameters(), lr=cfg.lr)
        schedule = get_scheduler("constant", optimizer)
        loader = preference_loader(AutoTokenizer.from_pretrained(cfg.model))
        self.policy, self.optimizer, self.schedule, self.loader = self.acc.prepare(
            policy, optimizer, schedule, loader
        )

    def compute_loss(self, batch):
        ratio = {}
        for side in ("chosen", "rejected"):
            ids, mask = batch[side], batch[f"{side}_mask"]
            with torch.no_grad():
                ref = sequence_logp(self.reference, ids, mask)
            ratio[side] = sequence_logp(self.policy, ids, mask) - ref
        loss = -F.logsigmoid(self.cfg.beta * (ratio["chosen"] - ratio["rejected"])).mean()
        return loss / self.acc.gradient_accumulation_steps

    def train(self):
        updates = 0
        self.policy.train()
        for batch in self.loader:
            with self.acc.accumulate(self.policy):
                loss = self.compute_loss(batch)
                self.acc.backward(loss)
                if self.acc.sync_gradients:
                    self.acc.clip_grad_norm_(self.policy.parameters(), 10.0)
                    updates += 1
                self.optimizer.step()
                self.schedule.step()
                self.optimizer.zero_grad()
            if updates >= self.cfg.max_updates:
                break
        self.acc.save_state()

import torch
from torch import nn
from torch.amp import GradScaler, autocast
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from points.data import ScanStream
from points.model import PointTransformer


class Checkpoint:
    """Everything that a resumed run reads."""

    def __init__(self, path, **parts):
        self.path = path
        self.parts = parts

    def save(self, step):
        torch.save({"step": step, **{k: v.state_dict() for k, v in self.parts.items()}}, self.path)


class PointTrainer:
    def __init__(self, classes: int, out: str, lr: float = 5e-4):
        self.model = PointTransformer(classes).cuda()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=0.05)
        self.scaler = GradScaler("cuda", enabled=False)
        self.ema = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(0.9995))
        self.checkpoint = Checkpoint(
            out, model=self.model, optimizer=self.optimizer, scaler=self.scaler, ema=self.ema
        )

    def loss(self, xyz, features, label):
        with autocast("cuda", dtype=torch.bfloat16):
            logits = self.model(xyz, features)
            return nn.functional.cross_entropy(logits.transpose(1, 2), label, ignore_index=-1)

    def step(self, xyz, features, label):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(xyz, features, label)
        self.scaler.scale(loss).backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.ema.update_parameters(self.model)
        return loss.item(), norm.item()

    def fit(self, root, steps):
        self.model.train()
        for step, batch in zip(range(steps), ScanStream(root)):
            loss, norm = self.step(*(t.cuda(non_blocking=True) for t in batch))
            if step % 100 == 0:
                print(step, round(loss, 4), round(norm, 3))
            if step % 5000 == 4999:
                self.checkpoint.save(step)

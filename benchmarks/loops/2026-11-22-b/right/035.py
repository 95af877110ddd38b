from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class AmpConfig:
    enabled: bool = True
    dtype: str = "bfloat16"

    @property
    def torch_dtype(self) -> torch.dtype:
        return {"bfloat16": torch.bfloat16, "float16": torch.float16}[self.dtype]

    @property
    def needs_scaler(self) -> bool:
        return self.enabled and self.dtype == "float16"


@dataclass
class TrainConfig:
    lr: float = 3e-4
    clip: float = 1.0
    amp: AmpConfig = field(default_factory=AmpConfig)


class Engine:
    def __init__(self, model: nn.Module, cfg: TrainConfig):
        self.model, self.cfg = model.cuda(), cfg
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.scaler = torch.amp.GradScaler("cuda", enabled=cfg.amp.needs_scaler)
        self.n = 0

    def autocast(self):
        return torch.autocast("cuda", dtype=self.cfg.amp.torch_dtype, enabled=self.cfg.amp.enabled)

    def __call__(self, image: torch.Tensor, caption: torch.Tensor) -> float:
        with self.autocast():
            logits = self.model(image, caption[:, :-1])
            loss = nn.functional.cross_entropy(logits.transpose(1, 2), caption[:, 1:], ignore_index=0)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        self.n += 1
        return loss.item()


def caption_training(model: nn.Module, loader, cfg: TrainConfig | None = None, epochs: int = 10) -> Engine:
    engine = Engine(model, cfg or TrainConfig())
    for epoch in range(epochs):
        engine.model.train()
        values = [engine(image.cuda(), caption.cuda()) for image, caption in loader]
        print(epoch, sum(values) / len(values))
    return engine

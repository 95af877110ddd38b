from contextlib import ExitStack, contextmanager

import torch
from torch import nn
from torch.amp import GradScaler
from torch.profiler import record_function


@contextmanager
def activations(module: nn.Module, store: dict):
    def hook(mod, args, out):
        store["rms"] = out.detach().float().square().mean().sqrt()

    handle = module.register_forward_hook(hook)
    try:
        yield store
    finally:
        handle.remove()


class Trainer:
    def __init__(self, model: nn.Module, probe: nn.Module, lr: float = 1e-3, device: str = "cuda"):
        self.model = model.to(device)
        self.probe = probe
        self.device = device
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.scaler = GradScaler(device)
        self.stats: dict = {}

    def train_step(self, x, y, watch: bool):
        self.optimizer.zero_grad(set_to_none=True)
        with ExitStack() as stack:
            stack.enter_context(record_function("forward"))
            stack.enter_context(torch.autocast(self.device, dtype=torch.float16))
            if watch:
                stack.enter_context(activations(self.probe, self.stats))
            loss = nn.functional.cross_entropy(self.model(x), y)
            stack.close()

            stack.enter_context(record_function("backward"))
            self.scaler.scale(loss).backward()

        with record_function("update"):
            self.scaler.unscale_(self.optimizer)
            norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return loss.detach(), norm


def run(trainer: Trainer, batches, steps: int):
    trainer.model.train()
    for step in range(steps):
        x, y = (t.to(trainer.device, non_blocking=True) for t in next(batches))
        watch = step % 100 == 0
        loss, norm = trainer.train_step(x, y, watch)
        if watch:
            print(step, loss.item(), norm.item(), {k: v.item() for k, v in trainer.stats.items()})

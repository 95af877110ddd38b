import dataclasses
import time

import lightning as L
import torch
from lightning.fabric.strategies import DDPStrategy
from torch.optim.lr_scheduler import CosineAnnealingLR

from rl.reward_data import pair_stream
from rl.reward_model import RewardModel


@dataclasses.dataclass
class Args:
    global_batch: int = 128
    micro_batch: int = 2
    updates: int = 2000
    lr: float = 1e-5
    log_interval: int = 10

    def accumulation(self, world_size: int) -> int:
        size = self.global_batch // (self.micro_batch * world_size)
        assert size > 0
        return size


def pair_loss(model, chosen, rejected):
    scores = model(torch.cat([chosen, rejected]))
    better, worse = scores.chunk(2)
    return -torch.nn.functional.logsigmoid(better - worse).mean()


def fit(fabric: L.Fabric, state: dict, args: Args) -> None:
    model, optimizer, scheduler = state["model"], state["optimizer"], state["scheduler"]
    accumulation = args.accumulation(fabric.world_size)
    stream = pair_stream(args.micro_batch, fabric.global_rank, fabric.world_size)
    start = time.perf_counter()
    while state["step_count"] < args.updates:
        state["iter_num"] += 1
        chosen, rejected = (t.to(fabric.device) for t in next(stream))
        is_accumulating = state["iter_num"] % accumulation != 0

        with fabric.no_backward_sync(model, enabled=is_accumulating):
            loss = pair_loss(model, chosen, rejected)
            fabric.backward(loss / accumulation)

        if is_accumulating:
            continue
        fabric.clip_gradients(model, optimizer, max_norm=1.0, error_if_nonfinite=False)
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
        state["step_count"] += 1
        if state["step_count"] % args.log_interval == 0:
            fabric.print(state["step_count"], f"{loss.item():.4f}", f"{time.perf_counter() - start:.1f}s")


def main(args: Args) -> None:
    fabric = L.Fabric(devices=8, strategy=DDPStrategy(gradient_as_bucket_view=True), precision="bf16-mixed")
    fabric.launch()
    model = RewardModel("EleutherAI/pythia-1b")
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = CosineAnnealingLR(optimizer, T_max=args.updates)
    model, optimizer = fabric.setup(model, optimizer)
    model.train()
    fit(fabric, {"model": model, "optimizer": optimizer, "scheduler": scheduler, "iter_num": 0, "step_count": 0}, args)


if __name__ == "__main__":
    main(Args())

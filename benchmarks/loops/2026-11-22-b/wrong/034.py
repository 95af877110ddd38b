import math
from dataclasses import dataclass

import lightning as L
import torch
from torch.utils.data import DataLoader

from lm.data import PackedDataset
from lm.model import GPT, chunked_cross_entropy


@dataclass
class TrainArgs:
    global_batch_size: int = 512
    micro_batch_size: int = 8
    max_iters: int = 600_000
    max_norm: float = 1.0
    learning_rate: float = 6e-4
    min_lr: float = 6e-5
    warmup_iters: int = 2000

    def gradient_accumulation_iters(self, devices: int) -> int:
        return self.global_batch_size // devices // self.micro_batch_size


def get_lr(it: int, args: TrainArgs) -> float:
    if it < args.warmup_iters:
        return args.learning_rate * it / args.warmup_iters
    ratio = (it - args.warmup_iters) / (args.max_iters - args.warmup_iters)
    return args.min_lr + 0.5 * (1.0 + math.cos(math.pi * ratio)) * (args.learning_rate - args.min_lr)


def fit(fabric: L.Fabric, state: dict, loader: DataLoader, args: TrainArgs) -> None:
    model, optimizer = state["model"], state["optimizer"]
    accum = args.gradient_accumulation_iters(fabric.world_size)
    data = iter(loader)
    while state["iter_num"] < args.max_iters:
        lr = get_lr(state["iter_num"], args)
        for group in optimizer.param_groups:
            group["lr"] = lr

        state["iter_num"] += 1
        tokens = next(data)
        inputs, targets = tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()

        is_accumulating = state["iter_num"] % accum != 0
        with fabric.no_backward_sync(model, enabled=is_accumulating):
            logits = model(inputs)
            loss = chunked_cross_entropy(logits, targets)
            fabric.backward(loss / accum)

        if not is_accumulating:
            optimizer.step()
            grad_norm = fabric.clip_gradients(model, optimizer, max_norm=args.max_norm)
            optimizer.zero_grad()
            state["step_count"] += 1
            if state["step_count"] % 10 == 0:
                fabric.log_dict({"loss": loss.item(), "grad_norm": grad_norm.item(), "lr": lr})


def main() -> None:
    args = TrainArgs()
    fabric = L.Fabric(devices=4, strategy="ddp", precision="bf16-mixed")
    fabric.launch()
    model = GPT.from_name("pythia-410m")
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate, betas=(0.9, 0.95))
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(DataLoader(PackedDataset("data/slim"), batch_size=args.micro_batch_size))
    fit(fabric, {"model": model, "optimizer": optimizer, "iter_num": 0, "step_count": 0}, loader, args)


if __name__ == "__main__":
    main()

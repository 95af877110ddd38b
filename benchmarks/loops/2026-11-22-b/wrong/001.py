from pathlib import Path

import lightning as L
import torch
from torch.utils.data import DataLoader

from pretrain.data import TokenFile
from pretrain.model import Config, Llama

GRAD_ACCUM = 8
SAVE_EVERY = 2000


def cross_entropy(logits, targets):
    return torch.nn.functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


def load_state(fabric, state, out_dir: Path):
    checkpoints = sorted(out_dir.glob("step-*.ckpt"))
    if checkpoints:
        fabric.load(checkpoints[-1], state)
        fabric.print(f"resumed from {checkpoints[-1].name}")


def pretrain(fabric, state, loader, max_iters, out_dir):
    model, optimizer = state["model"], state["optimizer"]
    model.train()
    batches = iter(loader)
    while state["iter_num"] < max_iters:
        x, y = next(batches)
        is_accumulating = state["iter_num"] % GRAD_ACCUM != 0

        with fabric.no_backward_sync(model, enabled=is_accumulating):
            loss = cross_entropy(model(x), y)
            fabric.backward(loss / GRAD_ACCUM)

        if not is_accumulating:
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
            optimizer.zero_grad()
            state["step_count"] += 1
            if state["step_count"] % SAVE_EVERY == 0:
                fabric.save(out_dir / f"step-{state['step_count']:08d}.ckpt", state)

        state["iter_num"] += 1
        if state["iter_num"] % 100 == 0:
            fabric.print(f"iter {state['iter_num']} step {state['step_count']} loss {loss.item():.4f}")


def main(out_dir: Path = Path("out"), max_iters: int = 1_000_000):
    fabric = L.Fabric(devices=8, strategy="ddp", precision="bf16-mixed")
    fabric.launch()
    model = Llama(Config.named("tiny"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-4, betas=(0.9, 0.95), weight_decay=0.1)
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(DataLoader(TokenFile("train.bin", 2048), batch_size=8, num_workers=2))
    state = {"model": model, "optimizer": optimizer, "iter_num": 0, "step_count": 0}
    load_state(fabric, state, out_dir)
    pretrain(fabric, state, loader, max_iters, out_dir)


if __name__ == "__main__":
    main()

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import click
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from lm.data.stream import TokenLoader
from lm.nets.tiny import TinyGPT
from lm.training.loop import train_epoch
from lm.training.state import TrainState


@click.command()
@click.option("--epochs", default=2)
@click.option("--batch-size", default=4)
@click.option("--grad-accum", default=4)
@click.option("--lr", default=3e-3)
def main(epochs, batch_size, grad_accum, lr):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29623")
    dist.init_process_group("gloo", rank=0, world_size=1)
    torch.manual_seed(0)
    loader = TokenLoader(sequences=48, length=13, batch_size=batch_size)
    model = DDP(TinyGPT(vocab=32))
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    state = TrainState(accum=grad_accum)
    optimizer.zero_grad()
    for epoch in range(epochs):
        loss = train_epoch(model, loader, optimizer, state)
        if dist.get_rank() == 0:
            click.echo(f"epoch {epoch}: loss {loss:.4f} updates {state.updates}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

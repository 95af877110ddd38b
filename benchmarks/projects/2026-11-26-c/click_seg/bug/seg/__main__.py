import json

import click
import torch

from .data import shapes_loader
from .loop import SegLoop
from .unet import MicroUNet


@click.group()
def cli():
    pass


@cli.command()
@click.option("--config", type=click.Path(exists=True), required=True)
@click.option("--epochs", type=int, default=3, show_default=True)
@click.option("--seed", type=int, default=0)
def train(config, epochs, seed):
    """Train a model from a JSON file."""
    with open(config) as f:
        cfg = json.load(f)
    torch.manual_seed(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = MicroUNet(cfg["model"]["width"]).to(device)
    loop = SegLoop(model, cfg["train"], device)
    train_loader = shapes_loader(64, cfg["train"]["batch_size"], 0, True)
    val_loader = shapes_loader(16, cfg["train"]["batch_size"], 1, False)
    for epoch in range(epochs):
        loss = loop.train_epoch(train_loader)
        iou = loop.validate(val_loader)
        click.echo(f"{epoch}: loss {loss:.4f} iou {iou:.3f}")


@cli.command()
@click.option("--width", type=int, default=4)
def summary(width):
    """Print the number of parameters."""
    click.echo(sum(p.numel() for p in MicroUNet(width).parameters()))


if __name__ == "__main__":
    cli()

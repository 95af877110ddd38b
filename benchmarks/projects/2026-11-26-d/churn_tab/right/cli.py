import click
import torch

from fit import fit_epoch
from net import TabNet
from settings import load
from table import churn_loader


@click.command()
@click.option("--epochs", default=3, show_default=True)
@click.option("--rows", default=336, show_default=True)
@click.option("--seed", default=21, show_default=True)
def main(epochs, rows, seed):
    torch.manual_seed(seed)
    run = load("settings.json")
    loader = churn_loader(rows, run.batch, seed)
    net = TabNet(**run.net)
    opt = torch.optim.NAdam(net.parameters(), lr=run.lr)
    for epoch in range(1, epochs + 1):
        loss, updates = fit_epoch(net, loader, opt, run)
        click.echo(f"epoch {epoch}: bce {loss:.4f} after {updates} updates")


if __name__ == "__main__":
    main()

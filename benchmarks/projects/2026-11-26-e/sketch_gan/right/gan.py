import click
import torch

from sketchgan.builders import build_optimizer, trainable
from sketchgan.nets import Critic, Painter, real_batch
from sketchgan.rounds import critic_round, painter_round


@click.command()
@click.option("--steps", default=50)
@click.option("--batch", default=16)
@click.option("--lr", default=2e-3)
@click.option("--optimizer", "kind", type=click.Choice(["rmsprop", "adam"]), default="adam")
def main(steps, batch, lr, kind):
    torch.manual_seed(0)
    painter, critic = Painter(), Critic()
    critic_params = trainable(critic)
    opt_p = build_optimizer(kind, trainable(painter), lr)
    opt_c = build_optimizer(kind, critic_params, lr)
    for step in range(steps):
        lc = critic_round(painter, critic, opt_c, critic_params, real_batch(batch))
        lp = painter_round(painter, critic, opt_p, batch)
        if step % 4 == 0:
            print(f"{step} critic {lc:.4f} painter {lp:.4f}")


if __name__ == "__main__":
    main()

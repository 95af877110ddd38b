import argparse

import torch

from mt.factory import OPTIMIZERS, make_setup
from mt.steps import exact, train_step


def cipher(vocab):
    table = torch.randperm(vocab)

    def draw(n, length=10):
        source = torch.randint(vocab, (n, length))
        return source, table[source]

    return draw


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=80)
    p.add_argument("--optimizer", choices=sorted(OPTIMIZERS), default="sgd")
    p.add_argument("--lr", type=float, default=0.3)
    p.add_argument("--max-norm", type=float, default=0.2)
    p.add_argument("--freeze-embeddings", action="store_true")
    a = p.parse_args(argv)

    torch.manual_seed(2)
    vocab = 26
    draw = cipher(vocab)
    setup = make_setup(vocab, optimizer=a.optimizer, lr=a.lr, freeze_embeddings=a.freeze_embeddings)
    for step in range(1, a.steps + 1):
        loss = train_step(setup, *draw(32), max_norm=a.max_norm)
        if step % 20 == 0:
            print(f"{step} loss {loss:.3f} exact {exact(setup.model, *draw(64)):.3f}")


if __name__ == "__main__":
    main()

from functools import partial

import torch

from press.critic import improve_critic
from press.generator import improve_generator
from press.history import History
from press.nets import Critic, Writer


def scans(count=9):
    generator = torch.Generator().manual_seed(71)
    return [torch.rand(8, 16, generator=generator).round() for _ in range(count)]


def main(epochs=2):
    torch.set_num_threads(1)
    torch.manual_seed(70)
    writer, critic = Writer(), Critic()
    writer_opt = torch.optim.Adam(writer.parameters(), lr=1e-3)
    critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
    judge = partial(improve_critic, writer, critic, critic_opt)
    write = partial(improve_generator, writer, critic, writer_opt)
    history = History()
    for _ in range(epochs):
        for real in scans():
            history.record("critic", judge(real))
            history.record("writer", write(len(real)))
    print({name: round(value, 4) for name, value in history.means().items()})


if __name__ == "__main__":
    main()

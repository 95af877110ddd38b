import torch

from falcon.callbacks import ClipGradients, Progress, Warmup
from falcon.loop import Loop
from falcon.schedule import linear_ramp


def flights(count=14):
    generator = torch.Generator().manual_seed(17)
    out = []
    for _ in range(count):
        track = torch.randn(8, 9, generator=generator)
        out.append((track, track[:, :1] - track[:, 1:2]))
    return out


def main(epochs=3, window=4):
    torch.manual_seed(6)
    batches = flights()
    updates_per_epoch = -(-len(batches) // window)
    net = torch.nn.Sequential(torch.nn.Linear(9, 20), torch.nn.SiLU(), torch.nn.Linear(20, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    ramp = linear_ramp(optimizer, total_updates=epochs * updates_per_epoch)
    progress = Progress()
    loop = Loop(net, optimizer, window, [ClipGradients(0.5), Warmup(ramp), progress])
    loop.run(batches, epochs)
    print(progress.seen, round(loop.last, 4), ramp.get_last_lr())


if __name__ == "__main__":
    main()

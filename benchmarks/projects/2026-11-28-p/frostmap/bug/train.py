import torch

from frost.trainer import Trainer
from strategies.half import HalfStrategy
from strategies.windowed import WindowedStrategy


def nights(count=10):
    generator = torch.Generator().manual_seed(41)
    out = []
    for _ in range(count):
        air = torch.randn(7, 8, generator=generator)
        out.append((air, air.amin(1, keepdim=True)))
    return out


def network():
    return torch.nn.Sequential(torch.nn.Linear(8, 15), torch.nn.Tanh(), torch.nn.Linear(15, 1))


def main():
    torch.manual_seed(40)
    for make in (HalfStrategy, lambda opt: WindowedStrategy(opt, window=4)):
        net = network()
        strategy = make(torch.optim.SGD(net.parameters(), lr=0.05))
        trainer = Trainer(net, strategy)
        print(type(strategy).__name__, trainer.fit(nights(), epochs=3))


if __name__ == "__main__":
    main()

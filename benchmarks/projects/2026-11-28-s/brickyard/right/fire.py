import torch

from kiln.callbacks import ClipGradients, Log, PeriodicCheck
from kiln.engine import Engine
from kiln.model import BrickNet, load


def main():
    torch.manual_seed(1)
    model = BrickNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    callbacks = [ClipGradients(0.5), PeriodicCheck(load(3, seed=9), every=5), Log(every=6)]
    engine = Engine(model, optimizer, callbacks)
    engine.fit(load(12, seed=2), epochs=2)
    print("checks:", engine.notes)


if __name__ == "__main__":
    main()

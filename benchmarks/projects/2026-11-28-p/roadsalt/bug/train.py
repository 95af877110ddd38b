import torch

from dataset import gritted_roads
from events import EPOCH_DONE, EPOCH_STARTED, STARTED, Engine
from handlers import report, reshuffle
from parallel import close, open_group, spread
from process import Process


def main():
    torch.manual_seed(61)
    open_group()
    loader = gritted_roads(batch=12)
    model = spread(torch.nn.Sequential(torch.nn.Linear(5, 9), torch.nn.Tanh(), torch.nn.Linear(9, 1)))
    process = Process(model, lr=0.03)
    engine = Engine(process)
    engine.on(STARTED, reshuffle)
    engine.on(EPOCH_DONE, report)
    engine.run(loader, epochs=3)
    print(sorted(process.state()))
    close()


if __name__ == "__main__":
    main()

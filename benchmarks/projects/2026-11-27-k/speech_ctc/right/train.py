import torch

from asr.data import utterance_loader
from asr.engine import CTCEngine
from asr.model import FrameEncoder


def main():
    torch.manual_seed(7)
    model = FrameEncoder()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8)
    engine = CTCEngine(model, optimizer, schedule, utterance_loader(40, 20, train=False), max_norm=2.0)
    engine.fit(utterance_loader(128, 8), epochs=4)


if __name__ == "__main__":
    main()

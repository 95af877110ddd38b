import torch

from dataset import roads
from nets import TinyFCN
from trainers import RoadTrainer


def main():
    torch.manual_seed(3)
    net = TinyFCN()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    trainer = RoadTrainer(net, opt, roads(56, 4, shuffle=True), roads(12, 4), window=3)
    trainer.fit(epochs=3)


if __name__ == "__main__":
    main()

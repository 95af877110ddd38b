import torch

from .amp import CableTrainer
from .cars import BrakeNet, rides


def main():
    torch.manual_seed(23)
    net = BrakeNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    trainer = CableTrainer(net, optimizer, max_norm=1.0)
    trainer.fit(rides(96), rides(32), epochs=3)


main()

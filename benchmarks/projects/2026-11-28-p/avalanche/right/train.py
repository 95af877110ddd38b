import torch

from data import profiles
from trainers import RiskTrainer, SlopeTrainer


def net():
    return torch.nn.Sequential(torch.nn.Linear(8, 12), torch.nn.ELU(), torch.nn.Linear(12, 1))


def main():
    torch.manual_seed(5)
    days = profiles()
    for kind in (SlopeTrainer, RiskTrainer):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        trainer = kind(model, optimizer)
        print(kind.__name__, trainer.fit(days, epochs=3))


if __name__ == "__main__":
    main()

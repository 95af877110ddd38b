import torch
from torch.utils.data import DataLoader

from tabrec.bpr import BPRTrainer
from tabrec.towers import TwoTower, triples

USERS, ITEMS = 40, 60


def main():
    torch.manual_seed(0)
    model = TwoTower(USERS, ITEMS)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.2)
    train_loader = DataLoader(triples(1100, USERS, ITEMS, 1), batch_size=32, shuffle=True)
    val_loader = DataLoader(triples(256, USERS, ITEMS, 2), batch_size=64)
    BPRTrainer(model, optimizer, accumulate=4, epochs=4).fit(train_loader, val_loader)


if __name__ == "__main__":
    main()

import torch
from torch.utils.data import DataLoader

from recsys import *


def bpr_loss(model, users, positives, negatives):
    difference = model(users, positives) - model(users, negatives)
    return -torch.nn.functional.logsigmoid(difference).mean()


def main():
    torch.manual_seed(4)
    data = Interactions(users=60, items=80)
    loader = DataLoader(data, batch_size=32, shuffle=True)
    model = MatrixFactorization(data.users, data.items)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    history = History()
    model.train()
    for epoch in range(3):
        for users, positives in loader:
            negatives = torch.randint(0, data.items, positives.shape)
            loss = bpr_loss(model, users, positives, negatives)
            descend(optimizer, loss)
            history.log("bpr", loss)
        rate = hit_rate(model, data.held_out(), k=10)
        print(f"epoch {epoch}: bpr {history.mean('bpr'):.4f} hit@10 {rate:.3f}")
        history.clear()


if __name__ == "__main__":
    main()

import torch
import torch.nn.functional as F

from decay import epochs_with_decay
from evaluate import accuracy
from graph import planted
from layers import GCN


def main():
    torch.manual_seed(0)
    x, a, y, train_mask, test_mask = planted()
    model = GCN(x.shape[1], 16, int(y.max()) + 1)
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)

    for epoch in epochs_with_decay(optimizer, 60):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, a)[train_mask], y[train_mask])
        loss.backward()
        optimizer.step()
        acc = accuracy(model, x, a, y, test_mask)
        if epoch % 10 == 0:
            print("epoch %d loss %.3f test %.3f" % (epoch, loss.item(), acc))


if __name__ == "__main__":
    main()

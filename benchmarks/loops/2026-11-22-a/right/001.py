import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from recsys.books import BookPairs


class TwoTower(nn.Module):
    """Returns the loss of a batch, already weighted for its window."""

    def __init__(self, users, items, dim=64, window=1):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.items = nn.Embedding(items, dim)
        self.window = window

    def scores(self, user, item):
        return F.normalize(self.users(user), dim=-1) @ F.normalize(self.items(item), dim=-1).t()

    def forward(self, user, item):
        logits = self.scores(user, item) / 0.07
        target = torch.arange(user.numel(), device=user.device)
        return F.cross_entropy(logits, target) / self.window


def main(window=8, epochs=5):
    data = BookPairs("goodbooks.csv")
    loader = DataLoader(data, batch_size=1024, shuffle=True)
    model = TwoTower(data.n_users, data.n_items, window=window).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.train()
        shown = 0.0
        for step, (user, item) in enumerate(loader, 1):
            loss = model(user.cuda(), item.cuda())
            loss.backward()
            shown += loss.item()
            if step % window == 0 or step == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: {shown * window / len(loader):.4f}")
    torch.save(model.state_dict(), "twotower.pt")


if __name__ == "__main__":
    main()

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class GraphSAGELayer(nn.Module):
    def __init__(self, fin, fout):
        super().__init__()
        self.self_lin, self.nbr_lin = nn.Linear(fin, fout), nn.Linear(fin, fout)

    def forward(self, x, nbrs):
        return torch.relu(self.self_lin(x) + self.nbr_lin(nbrs.mean(1)))


class NodeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.sage = GraphSAGELayer(6, 16)
        self.out = nn.Linear(16, 4)

    def forward(self, x, nbrs):
        h = self.sage(x, nbrs)
        with torch.autocast("cpu", enabled=False):
            return self.out(h.float())


class LitLike:
    def __init__(self, lr=0.02):
        self.model = NodeModel()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def training_step(self, batch):
        x, nbrs, y = batch
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x, nbrs), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, loader):
        self.model.eval()
        hits = sum((self.model(x, n).argmax(1) == y).sum().item() for x, n, y in loader)
        self.model.train()
        return hits / len(loader.dataset)


torch.manual_seed(0)
feat, nbr = torch.randn(64, 6), torch.randn(64, 5, 6)
lab = nbr.mean(1)[:, :4].argmax(1)
loader = DataLoader(TensorDataset(feat, nbr, lab), batch_size=16, shuffle=True)
lit = LitLike()
for epoch in range(4):
    losses = [lit.training_step(b) for b in loader]
    print(epoch, sum(losses) / len(losses), lit.accuracy(loader))

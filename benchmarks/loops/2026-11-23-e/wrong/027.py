import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class GCNLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.w = nn.Linear(i, o)

    def forward(self, x, adj):
        return self.w(adj @ x)


class GraphNet(nn.Module):
    def __init__(self, n_feat=5, hid=16, n_cls=2):
        super().__init__()
        self.g1, self.g2 = GCNLayer(n_feat, hid), GCNLayer(hid, hid)
        self.cls = nn.Linear(hid, n_cls)

    def forward(self, x, adj):
        h = F.relu(self.g1(x, adj))
        h = F.relu(self.g2(h, adj))
        return self.cls(h.mean(1))


def random_graphs(n, nodes=6):
    adj = (torch.rand(n, nodes, nodes) < 0.4).float()
    adj = ((adj + adj.transpose(1, 2)) > 0).float() + torch.eye(nodes)
    y = (adj.sum((1, 2)) > 26).long()
    return TensorDataset(torch.randn(n, nodes, 5), adj / adj.sum(-1, keepdim=True), y)


def train(model, loader, optimizer, accum):
    model.train()
    for k, (x, adj, y) in enumerate(loader, start=1):
        loss = F.cross_entropy(model(x, adj), y)
        (loss / accum).backward()
        if k % accum == 0:
            optimizer.step()
            optimizer.zero_grad()


def evaluate(model, loader):
    model.eval()
    correct = 0
    for x, adj, y in loader:
        correct += (model(x, adj).argmax(-1) == y).sum().item()
    return correct / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    train_loader = DataLoader(random_graphs(200), batch_size=16, shuffle=True)
    test_loader = DataLoader(random_graphs(60), batch_size=30)
    model = GraphNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(4):
        train(model, train_loader, optimizer, accum=4)
        print("epoch", epoch, "test acc", evaluate(model, test_loader))

import torch
import torch.nn.functional as F
from torch_geometric.datasets import Planetoid
from torch_geometric.nn import GATConv


class GAT(torch.nn.Module):
    def __init__(self, n_in, n_out, hidden=8, heads=8):
        super().__init__()
        self.conv1 = GATConv(n_in, hidden, heads=heads, dropout=0.6)
        self.conv2 = GATConv(hidden * heads, n_out, heads=1, concat=False, dropout=0.6)

    def forward(self, x, edge_index):
        x = F.dropout(x, 0.6, training=self.training)
        x = F.elu(self.conv1(x, edge_index))
        x = F.dropout(x, 0.6, training=self.training)
        return F.log_softmax(self.conv2(x, edge_index), dim=-1)


dataset = Planetoid("/tmp/Cora", name="Cora")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = dataset[0].to(device)
model = GAT(dataset.num_features, dataset.num_classes).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.005, weight_decay=5e-4)


def train():
    model.train()
    out = model(data.x, data.edge_index)
    loss = F.nll_loss(out[data.train_mask], data.y[data.train_mask])
    loss.backward()
    optimizer.step()
    return float(loss)


@torch.no_grad()
def test():
    model.eval()
    pred = model(data.x, data.edge_index).argmax(-1)
    return [int((pred[m] == data.y[m]).sum()) / int(m.sum()) for m in (data.train_mask, data.val_mask, data.test_mask)]


best = 0.0
for epoch in range(1, 201):
    loss = train()
    train_acc, val_acc, acc = test()
    best = max(best, val_acc)
    if epoch % 10 == 0:
        print(f"Epoch {epoch:03d} loss {loss:.4f} train {train_acc:.4f} val {val_acc:.4f} test {acc:.4f}")

import torch
import torch.nn.functional as F

from graph import make_sbm
from helpers import accuracy, take_step
from layers import GCN

torch.manual_seed(0)
graph = make_sbm()
model = GCN(8, 16, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)

# Q3: train on the labelled nodes
for epoch in range(1, 61):
    model.train()
    logits = model(graph.x, graph.adj)
    loss = F.cross_entropy(logits[graph.train_mask], graph.y[graph.train_mask])
    loss.backward()
    take_step(model, optimizer)
    test_acc = accuracy(model, graph, graph.test_mask)
    if epoch % 20 == 0:
        print(f"epoch {epoch:3d}  loss {loss.item():.3f}  test {test_acc:.3f}")

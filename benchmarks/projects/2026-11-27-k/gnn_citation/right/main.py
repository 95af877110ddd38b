import torch
import torch.nn.functional as F

from graphs import block_model
from housekeeping import tidy
from layers import GCN
from scoring import accuracies


def main(epochs=60):
    torch.manual_seed(0)
    graph = block_model()
    model = GCN(graph.x.size(1), 16, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)
    best = 0.0
    for epoch in range(epochs):
        model.train()
        logits = model(graph.x, graph.adj)
        loss = F.cross_entropy(logits[graph.train], graph.y[graph.train])
        loss.backward()
        optimizer.step()
        tidy(model, optimizer)
        with torch.no_grad():
            val, test = accuracies(model, graph, graph.val, graph.test)
        best = max(best, val)
        if (epoch + 1) % 20 == 0:
            print(f"{epoch + 1:3d} loss {loss.item():.4f} val {val:.3f} test {test:.3f} best {best:.3f}")


if __name__ == "__main__":
    main()

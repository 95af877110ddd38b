import torch

from gcn import GCN
from graphdata import planted
from objectives import node_loss, stepper
from probes import make_probe


@torch.no_grad()
def test_accuracy(model, g):
    model.eval()
    guess = model(g.x, g.adj).argmax(1)
    return (guess[g.test] == g.y[g.test]).float().mean().item()


def main():
    torch.manual_seed(8)
    g = planted()
    model = GCN(g.x.shape[1], 16, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)
    probe, sizes = make_probe(model, every=10)
    step = stepper(model, optimizer, node_loss(g), probe)
    curve = []
    for epoch in range(40):
        loss = step(epoch)
        curve.append(loss)
        if epoch % 10 == 9:
            print(epoch, f"{sum(curve) / len(curve):.4f}", f"{test_accuracy(model, g):.3f}")
    print("largest gradients", [round(s, 4) for s in sizes])


if __name__ == "__main__":
    main()

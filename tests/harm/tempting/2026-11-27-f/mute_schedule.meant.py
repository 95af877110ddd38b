import torch
from torch import nn, optim

cfg = dict(epochs=3, accum=3, batch=8, lr=0.3, rows=96)


def make_data():
    x = torch.randn(cfg["rows"], 4)
    return x, (x @ torch.tensor([[1.0], [-2.0], [0.5], [0.0]])).sin()


def train(record):
    torch.manual_seed(653)
    x, y = make_data()
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    opt = optim.SGD(net.parameters(), lr=cfg["lr"])
    batches = list(zip(x.split(cfg["batch"]), y.split(cfg["batch"])))
    updates = cfg["epochs"] * len(batches) // cfg["accum"]
    sched = optim.lr_scheduler.LinearLR(opt, 1.0, 0.0, total_iters=updates)
    opt.zero_grad()
    curve = []
    for epoch in range(cfg["epochs"]):
        for i, (a, b) in enumerate(batches):
            loss = nn.functional.mse_loss(net(a), b)
            (loss / cfg["accum"]).backward()
            curve.append(loss.item())
            if (i + 1) % cfg["accum"] == 0:
                opt.step()
                sched.step()
                opt.zero_grad()
                record(list(net.parameters()))
        print(epoch, sum(curve[-len(batches):]) / len(batches))


if __name__ == "__main__":
    train(lambda parameters: None)

import torch
import torch.nn as nn

CFG = dict(epochs=2, accumulate=3, peak=0.3, batch=6)


def horizon(batches):
    return CFG["epochs"] * sum(1 for _ in batches)


def build(batches):
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    opt = torch.optim.SGD(net.parameters(), lr=CFG["peak"] / 25, momentum=0.9)
    plan = torch.optim.lr_scheduler.OneCycleLR(
        opt, max_lr=CFG["peak"], total_steps=horizon(batches), cycle_momentum=False
    )
    return net, opt, plan


def train(record):
    torch.manual_seed(31)
    x = torch.randn(60, 4)
    y = x[:, :3].argmax(1)
    batches = list(zip(x.split(CFG["batch"]), y.split(CFG["batch"])))
    net, opt, plan = build(batches)
    criterion = nn.CrossEntropyLoss()
    rates = []
    for epoch in range(CFG["epochs"]):
        for i, (xb, yb) in enumerate(batches):
            loss = criterion(net(xb), yb)
            (loss / CFG["accumulate"]).backward()
            if (i + 1) % CFG["accumulate"] == 0 or i + 1 == len(batches):
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad()
            rates.append(plan.get_last_lr()[0])
            plan.step()
    print(max(rates), rates[-1])


if __name__ == "__main__":
    train(lambda parameters: None)

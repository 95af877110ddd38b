import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def group_norms(optimizer):
    return [
        torch.stack([p.grad.norm() for p in group["params"]]).norm().item()
        for group in optimizer.param_groups
    ]


def train(record):
    torch.manual_seed(606)
    x = torch.randn(90, 7)
    y = (x[:, :3].sum(1) > x[:, 3:].sum(1)).long()
    trunk, head = nn.Linear(7, 12), nn.Linear(12, 2)
    net = nn.Sequential(trunk, nn.Tanh(), head)
    optimizer = torch.optim.SGD(
        [{"params": trunk.parameters(), "lr": 0.1}, {"params": head.parameters(), "lr": 0.3}]
    )
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12)
    log_every, step = 4, 0
    diary = []
    for epoch in range(3):
        order = torch.randperm(len(x))
        for rows in order.split(10):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
            scaler.scale(loss).backward()
            if step % log_every == 0:
                scaler.unscale_(optimizer)
                diary.append((step, group_norms(optimizer)))
            if step % log_every > 0:
                scaler.unscale_(optimizer)
            clip_grad_norm_(net.parameters(), 0.3)
            scaler.step(optimizer)
            scaler.update()
            record(list(net.parameters()))
            step += 1
        print(epoch, diary[-1])


if __name__ == "__main__":
    train(lambda parameters: None)

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def make_net():
    return nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Linear(18, 3))


def train(record):
    torch.manual_seed(613)
    x = torch.randn(72, 6)
    y = x[:, :3].argmax(1)
    net = make_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, weight_decay=1e-3)
    replays, reach = 4, 0.8
    stride, limit = 40.0, 0.003
    delta = torch.zeros(12, 6, requires_grad=True)
    for epoch in range(3):
        worst = 0.0
        for inputs, labels in zip(x.split(12), y.split(12)):
            optimizer.zero_grad()
            for replay in range(replays):
                delta.grad = None
                loss = nn.functional.cross_entropy(net(inputs + delta), labels)
                (loss / replays).backward()
                clip_grad_norm_([delta], limit)
                with torch.no_grad():
                    delta.add_(stride * delta.grad).clamp_(-reach, reach)
                worst = max(worst, loss.item())
            optimizer.step()
            record(list(net.parameters()))
        print(f"{epoch} worst {worst:.3f} |delta| {delta.detach().norm():.3f}")


if __name__ == "__main__":
    train(lambda parameters: None)

import torch
from torch import nn

torch.set_default_dtype(torch.float32)

N_EPOCHS = 3
WINDOW = 3


def gradient_norm(net):
    return torch.stack([p.grad.norm() for p in net.parameters()]).norm().item()


def regression_batches(count):
    w = torch.randn(5, 1)
    for _ in range(count):
        x = torch.randn(16, 5)
        yield x, x @ w + 0.1 * torch.randn(16, 1)


def train(record):
    torch.manual_seed(21)
    net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    data = list(regression_batches(9))
    history = []

    for epoch in range(N_EPOCHS):
        for i, (x, y) in enumerate(data):
            if i % WINDOW == 0:
                opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            (loss / WINDOW).backward()
            if i % WINDOW == WINDOW - 1:
                opt.step()
                record(list(net.parameters()))
                norm = gradient_norm(net)
                history.append(norm)
                for group in opt.param_groups:
                    group["lr"] = 0.05 / (1.0 + norm)
        print(f"epoch {epoch}: {sum(history[-3:]) / 3:.4f}")
    return history


if __name__ == "__main__":
    train(lambda parameters: None)

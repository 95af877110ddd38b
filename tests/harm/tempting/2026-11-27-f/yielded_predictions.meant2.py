import torch
import torch.nn.functional as F
from torch import nn


@torch.no_grad()
def predictions(net, batches):
    net.eval()
    for x, y in batches:
        logits = net(x)
        yield logits, y


def fit_temperature(net, batches, log_t, optimizer, report):
    total = 0.0
    for logits, y in predictions(net, batches):
        optimizer.zero_grad()
        loss = F.cross_entropy(logits.detach() / log_t.exp(), y)
        loss.backward()
        optimizer.step()
        report()
        total += loss.item()
    return total / len(batches)


def train(record):
    torch.manual_seed(652)
    x = torch.randn(96, 5)
    y = (x[:, :2].sum(1) + 0.5 * torch.randn(96) > 0).long()
    batches = list(zip(x.split(8), y.split(8)))
    train_batches, held_out = batches[:8], batches[8:]
    net = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 2))
    log_t = torch.zeros((), requires_grad=True)
    net_opt = torch.optim.Adam(net.parameters(), lr=0.02)
    t_opt = torch.optim.SGD([log_t], lr=0.2)
    everything = [*net.parameters(), log_t]
    for epoch in range(3):
        net.train()
        for a, b in train_batches:
            net_opt.zero_grad()
            F.cross_entropy(net(a), b).backward()
            net_opt.step()
            record(everything)
        nll = fit_temperature(net, held_out, log_t, t_opt, lambda: record(everything))
        print(epoch, nll, log_t.item())


if __name__ == "__main__":
    train(lambda parameters: None)

import torch
from torch import nn
from torch.amp import GradScaler, autocast
from torch.nn.functional import cross_entropy, mse_loss


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 14)
        self.outer = nn.Linear(14, 1)

    def forward(self, x):
        h = torch.relu(self.inner(x))
        return h, self.outer(h)


def advance(opt):
    opt.step()
    opt.zero_grad()


def epoch(net, probe, net_opt, probe_opt, scaler, batches, record):
    weights = [*net.parameters(), *probe.parameters()]
    for x, y, labels in batches:
        with autocast("cpu", dtype=torch.float16):
            features, out = net(x)
        loss = mse_loss(out.float(), y)
        scaler.scale(loss).backward()
        scaler.unscale_(net_opt)
        nn.utils.clip_grad_value_(net.parameters(), 1.0)
        scaler.step(net_opt)
        scaler.update()
        net_opt.zero_grad()
        record(weights)
        cross_entropy(probe(features.detach().float()), labels).backward()
        advance(probe_opt)
        record(weights)
    return loss.item()


def train(record):
    torch.manual_seed(15)
    net, probe = Features(), nn.Linear(14, 2)
    net_opt = torch.optim.SGD(net.parameters(), lr=0.02)
    probe_opt = torch.optim.SGD(probe.parameters(), lr=0.1)
    scaler = GradScaler("cpu", init_scale=2.0**17)
    batches = []
    for _ in range(6):
        x = torch.randn(10, 4)
        batches.append((x, 9 * x[:, :1] + 2, (x[:, 1] > 0).long()))
    for n in range(2):
        value = epoch(net, probe, net_opt, probe_opt, scaler, batches, record)
        print(n, value, scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)

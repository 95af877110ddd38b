"""A network is trained with a scaled loss; a probe of its features learns beside it in full precision."""
import torch
from torch import nn
from torch.nn import functional as F


def finish(optimizer, module, record):
    norm = nn.utils.get_total_norm([p.grad for p in module.parameters() if p.grad is not None])
    if torch.isfinite(norm):
        optimizer.step()
        record(list(module.parameters()))
    optimizer.zero_grad()


class Predictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(6, 14), nn.Tanh())
        self.ahead = nn.Linear(14, 6)


def train(record):
    torch.manual_seed(24)
    net, probe = Predictor(), nn.Linear(14, 2)
    net_opt = torch.optim.SGD(net.parameters(), lr=0.02)
    probe_opt = torch.optim.SGD(probe.parameters(), lr=0.3)
    scaler = torch.amp.GradScaler("cpu", init_scale=16.0)
    turn = torch.linalg.qr(torch.randn(6, 6)).Q
    state = torch.randn(18, 6)
    for _ in range(25):
        after = state @ turn
        features = net.features(state)
        ahead = F.mse_loss(net.ahead(features), after)
        scaler.scale(ahead).backward()
        finish(net_opt, net, record)
        label = (state[:, 0] > 0).long()
        F.cross_entropy(probe(features.detach()), label).backward()
        finish(probe_opt, probe, record)
        state = after + 0.05 * torch.randn_like(after)


if __name__ == "__main__":
    train(lambda parameters: None)

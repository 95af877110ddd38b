"""The task runs in half precision; a penalty on the weights is added in full precision."""
import torch
from torch import nn


def orthogonality(net):
    total = torch.zeros(())
    for module in net.modules():
        if isinstance(module, nn.Linear):
            gram = module.weight @ module.weight.T
            total = total + (gram - torch.eye(len(gram))).pow(2).sum()
    return total


def train(record):
    torch.manual_seed(19)
    net = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 4))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0, growth_interval=50)
    data = torch.randn(20, 16, 8)
    for x in data:
        y = x[:, :4].argmax(1)
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(x).float(), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        (0.01 * orthogonality(net)).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        scaler.step(opt)
        scaler.update()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)

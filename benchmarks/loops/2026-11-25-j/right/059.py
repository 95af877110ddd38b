import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.manual_seed(159)
net = nn.Sequential(nn.Linear(3, 40), nn.ReLU(), nn.Dropout(0.1), nn.Linear(40, 2))
ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
X = torch.randn(180, 3)
Y = (X.norm(dim=1) > 1.5).long()


def count_hits(model, x, y):
    model.eval()
    hits = 0
    for xb, yb in zip(x.split(20), y.split(20)):
        hits += (model(xb).argmax(1) == yb).sum().item()
    return hits


def report(tag):
    with torch.no_grad():
        hits = count_hits(ema, X[140:], Y[140:])
    print(f"{tag}: ema accuracy {hits / 40:.3f}, online training={net.training}")


for epoch in range(4):
    for idx in torch.randperm(140).split(20):
        loss = nn.functional.cross_entropy(net(X[idx]), Y[idx])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        ema.update_parameters(net)
    report(f"epoch {epoch}")

import torch
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(120, 10), torch.randint(0, 3, (120,))
net = torch.nn.Sequential(torch.nn.Linear(10, 40), torch.nn.ReLU(), torch.nn.Linear(40, 3))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)


@torch.no_grad()
def validate():
    net.eval()
    return (net(x[90:]).argmax(1) == y[90:]).float().mean().item()


def robust_accuracy(eps=0.2):
    net.eval()
    hits = 0
    for xb, yb in zip(x[90:].split(10), y[90:].split(10)):
        adv = xb.clone().requires_grad_(True)
        grad, = torch.autograd.grad(F.cross_entropy(net(adv), yb), adv)
        with torch.no_grad():
            hits += (net(xb + eps * grad.sign()).argmax(1) == yb).sum().item()
    return hits / 30


for epoch in range(3):
    net.train()
    for idx in torch.randperm(90).split(30):
        opt.zero_grad()
        F.cross_entropy(net(x[idx]), y[idx]).backward()
        opt.step()
    print(epoch, validate(), robust_accuracy())

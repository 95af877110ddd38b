import torch
import torch.nn.functional as F

from net import *


def build(lr):
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.3)
    return net, opt, sched


def fit_batch(net, opt, x, y):
    out = net(x)
    loss = F.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item(), (out.argmax(1) == y).sum().item()


def new_epoch(epoch, opt):
    print('epoch', epoch, 'lr', round(opt.param_groups[0]['lr'], 5), end=' ')


@torch.no_grad()
def test(net, loader):
    net.eval()
    ok = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
    return ok / len(loader.dataset)

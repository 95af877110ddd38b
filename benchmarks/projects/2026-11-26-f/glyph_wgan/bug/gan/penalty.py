import torch


def gradient_penalty(net, real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(net(between).sum(), between, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()

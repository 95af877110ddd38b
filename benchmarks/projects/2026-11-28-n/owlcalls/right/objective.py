from torch.nn import functional as F


def bare(net):
    """What is inside a wrapper."""
    return getattr(net, "module", net)


def objective(net, sound, owl):
    return F.cross_entropy(net(sound), owl) + 0.001 * bare(net).size()

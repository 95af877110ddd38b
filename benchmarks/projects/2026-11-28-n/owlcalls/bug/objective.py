from torch.nn import functional as F


def bare(net):
    """What is inside a wrapper."""
    return getattr(net, "module", net)


def objective(net, sound, owl):
    inner = bare(net)
    return F.cross_entropy(inner(sound), owl) + 0.001 * inner.size()

from itertools import chain

from torch.optim import RMSprop


def joint(*nets, lr):
    """One optimizer for several networks, and the weights that it moves."""
    weights = list(chain.from_iterable(net.parameters() for net in nets))
    return RMSprop(weights, lr=lr), weights

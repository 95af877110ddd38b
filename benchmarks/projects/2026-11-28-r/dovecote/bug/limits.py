from torch.nn.utils import clip_grad_value_


def hold(net, limit=0.25):
    """No pigeon pulls harder than the limit."""
    clip_grad_value_(net.parameters(), limit)

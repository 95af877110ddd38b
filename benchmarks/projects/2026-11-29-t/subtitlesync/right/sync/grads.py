from torch.nn.utils import clip_grad_norm_


def limit(net, optimizer, most, scaler=None):
    if scaler is not None:
        scaler.unscale_(optimizer)
    return float(clip_grad_norm_(net.parameters(), most))

from torch.nn.utils import clip_grad_norm_


def bounded(optimizer, scaler, max_norm):
    """Clip all that the optimizer holds."""
    params = [p for group in optimizer.param_groups for p in group["params"]]
    return clip_grad_norm_(params, max_norm).item()

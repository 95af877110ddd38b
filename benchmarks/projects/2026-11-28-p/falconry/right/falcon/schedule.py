from torch.optim.lr_scheduler import LinearLR


def linear_ramp(optimizer, total_updates):
    """From a tenth of the rate to all of it, in total_updates updates."""
    return LinearLR(optimizer, start_factor=0.1, end_factor=1.0, total_iters=total_updates)

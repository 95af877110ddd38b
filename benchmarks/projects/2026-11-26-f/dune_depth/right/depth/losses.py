def scale_invariant(log_pred, depth, variance=0.5):
    gap = log_pred - depth.log()
    return gap.square().mean() - variance * gap.mean((1, 2, 3)).square().mean()

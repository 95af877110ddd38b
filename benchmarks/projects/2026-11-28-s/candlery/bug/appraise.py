from torch.nn import functional as F


def appraise(mould, wick, held):
    mould.eval()
    wick.eval()
    errors = [F.l1_loss(wick(mould(tallow)), hours).item() for tallow, hours in held]
    return sum(errors) / len(errors)

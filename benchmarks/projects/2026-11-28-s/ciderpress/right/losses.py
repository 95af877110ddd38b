from torch.nn import functional as F


def blend(cfg, predicted, sugar):
    rough = F.l1_loss(predicted, sugar)
    fine = F.mse_loss(predicted, sugar)
    return (fine + 0.1 * rough) / cfg.optim.accum

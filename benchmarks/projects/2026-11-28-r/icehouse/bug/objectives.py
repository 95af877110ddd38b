from torch.nn.functional import mse_loss

from ranks import bare


def thickness_loss(model, batch, cost=1e-3):
    frost, thickness = batch
    fit = mse_loss(bare(model)(frost), thickness)
    return fit + cost * bare(model).weight_cost()

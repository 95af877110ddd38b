from torch.nn import functional as F


def sway_loss(net, batch, window):
    state, target = batch
    loss = F.smooth_l1_loss(net(state), target)
    return loss, loss / window

import torch


def curve_error(model, wind, power):
    return torch.nn.functional.mse_loss(model(wind).float(), power)


def propagate(loss, weight):
    loss = loss * weight
    loss.backward()
    return loss.detach()

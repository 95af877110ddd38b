from torch.nn.functional import mse_loss

from hopyard.grads import clipped_norm, largest


def train_epoch(net, optimizer, precision, batches, limit=1.0):
    net.train()
    optimizer.zero_grad(set_to_none=True)
    total, peak = 0.0, 0.0
    for cones, acids in batches:
        with precision.autocast():
            loss = mse_loss(net(cones), acids)
        precision.backward(loss)
        precision.gradients_of(optimizer)
        peak = max(peak, largest(net))
        norm = clipped_norm(precision, optimizer, net, limit)
        precision.apply(optimizer)
        total += loss.item()
    return total / len(batches), max(peak, norm.item())

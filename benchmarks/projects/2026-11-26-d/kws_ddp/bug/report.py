import torch


def accuracy(net, batches):
    net.eval()
    right = total = 0
    for wave, word in batches:
        right += (net(wave).argmax(-1) == word).sum().item()
        total += len(word)
    return right / total


def gradient_norm(net, optimizer, scaler):
    """Norm of the gradients, without the factor of `scaler`."""
    scaler.unscale_(optimizer)
    norms = [p.grad.norm() for p in net.parameters() if p.grad is not None]
    return torch.stack(norms).norm().item()

import torch


def kl_term(mu, logvar):
    return -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()


def regularise(mu, logvar, beta, accum, scaler):
    """Backpropagates the KL term and keeps the graph for the reconstruction."""
    kl = beta * kl_term(mu, logvar)
    scaler.scale(kl / accum).backward(retain_graph=True)
    return kl.item()

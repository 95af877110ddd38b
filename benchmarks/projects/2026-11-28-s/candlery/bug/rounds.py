from torch.nn import functional as F


def play(mould, wick, duo, batches):
    mould.train()
    wick.train()
    total = 0.0
    for tallow, hours in batches:
        loss = F.mse_loss(wick(mould(tallow)), hours)
        loss.backward()
        duo.settle()
        total += loss.item()
    return total / len(batches)

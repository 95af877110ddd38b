from torch.nn.functional import mse_loss

from contexts import polishing, quiet


def cut(model, loader, optimizer, window):
    model.train()
    optimizer.zero_grad()
    total = 0.0
    for i, (rough, angles) in enumerate(loader):
        last = (i + 1) % window == 0 or i + 1 == len(loader)
        with polishing(optimizer, last):
            guess = model(rough)
            with quiet(model, last):
                loss = mse_loss(guess, angles) / window
                loss.backward()
        total += loss.item() * window
    return total / len(loader)

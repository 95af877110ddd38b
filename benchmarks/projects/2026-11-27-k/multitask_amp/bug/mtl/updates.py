def refresh(*optimizers):
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()


def clear(*optimizers):
    for optimizer in optimizers:
        optimizer.zero_grad()

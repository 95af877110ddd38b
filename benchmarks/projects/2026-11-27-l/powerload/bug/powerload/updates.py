def flush(optimizer):
    optimizer.step()
    optimizer.zero_grad()

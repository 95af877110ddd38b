def flush(optimizer, scaler):
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()

def flush(optimizer, schedule):
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    schedule.step()

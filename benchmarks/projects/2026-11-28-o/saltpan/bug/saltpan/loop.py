def run(model, loss_fn, optimizer, batches, epochs, accum, hooks):
    model.train()
    optimizer.zero_grad()
    for epoch in range(epochs):
        for hook in hooks:
            hook.on_epoch_begin(epoch)
        total = 0.0
        for n, (x, y) in enumerate(batches, start=1):
            loss = loss_fn(model(x), y)
            (loss / accum).backward()
            total += loss.item()
            if n % accum == 0 or n == len(batches):
                optimizer.step()
                optimizer.zero_grad()
        for hook in hooks:
            hook.on_epoch_end(epoch, total)

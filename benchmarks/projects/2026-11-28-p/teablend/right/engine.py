def steep(net, batches, optimizer, loss_fn, update, accum):
    net.train()
    optimizer.zero_grad()
    tally = 0.0
    for i, batch in enumerate(batches):
        loss = loss_fn(net, batch, accum)
        loss.backward()
        tally += loss.item() * accum
        if (i + 1) % accum == 0 or i + 1 == len(batches):
            update()
    return round(tally / len(batches), 5)

from registry import strategy


@strategy("plain")
def plain(ctx):
    total = 0.0
    for x, y in ctx.loader:
        loss = ctx.criterion(ctx.net(x), y)
        ctx.optimizer.zero_grad()
        loss.backward()
        ctx.optimizer.step()
        total += loss.item()
    return total / len(ctx.loader)

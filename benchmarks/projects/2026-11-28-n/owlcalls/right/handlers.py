from bus import listens
from objective import objective


@listens("batch")
def gradients(ctx):
    ctx.optimizer.zero_grad()
    ctx.loss = objective(ctx.net, *ctx.batch)
    ctx.loss.backward()


@listens("update")
def move(ctx):
    ctx.optimizer.step()


@listens("update")
def warm(ctx):
    ctx.warmup.step()

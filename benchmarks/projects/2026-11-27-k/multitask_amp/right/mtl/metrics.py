METRICS = {}


def metric(fn):
    METRICS[fn.__name__] = fn
    return fn


@metric
def accuracy(trunk, heads, x, label, depth):
    logits, _ = heads(trunk(x))
    return (logits.argmax(1) == label).float().mean().item()


@metric
def depth_error(trunk, heads, x, label, depth):
    _, guess = heads(trunk(x))
    return (guess - depth).abs().mean().item()

EVERY = 4


def due(step):
    return step % EVERY == 0

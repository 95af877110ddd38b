def run(strategy, batches, window):
    strategy.model.train()
    total = 0.0
    for n, (x, y) in enumerate(batches, 1):
        total += strategy.micro(x, y)
        if n % window == 0 or n == len(batches):
            strategy.close()
    return total / len(batches)

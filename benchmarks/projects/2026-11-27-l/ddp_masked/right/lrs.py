import math

from torch.optim.lr_scheduler import LambdaLR


def warmup_cosine(optimizer, updates, warmup=3):
    def factor(done):
        if done < warmup:
            return (done + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (done - warmup) / max(1, updates - warmup)))

    return LambdaLR(optimizer, factor)

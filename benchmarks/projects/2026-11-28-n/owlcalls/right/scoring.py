import torch

from objective import bare


def hit_rate(net, batches):
    listener = bare(net)
    listener.eval()
    hits, count = 0, 0
    with torch.inference_mode():
        for sound, owl in batches:
            hits += (listener(sound).argmax(1) == owl).sum().item()
            count += len(owl)
    listener.train()
    return hits / count

import torch


def exact_chars(box, src, tgt):
    box.net.eval()
    with torch.no_grad():
        hits = [(box.net(s).argmax(-1) == t).float().mean().item() for s, t in zip(src.split(50), tgt.split(50))]
    return sum(hits) / len(hits)

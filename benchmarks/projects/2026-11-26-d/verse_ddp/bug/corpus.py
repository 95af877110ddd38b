import torch

LINES = ["the sea is high again today", "with a thrilling flush of wind", "in the midst of winter you can feel"]


def chunks(n, length):
    text = " ".join(LINES * 6)
    ids = torch.tensor([ord(c) % 32 for c in text])
    out = []
    for k in range(n):
        starts = [(7 * k + 13 * j) % (len(ids) - length - 1) for j in range(8)]
        rows = torch.stack([ids[s : s + length + 1] for s in starts])
        out.append((rows[:, :-1], rows[:, 1:]))
    return out

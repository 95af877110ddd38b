import torch


def glyph_batches(count, size=16):
    for _ in range(count):
        strokes = torch.zeros(size, 1, 8, 8)
        at = torch.randint(1, 7, (size,))
        strokes[torch.arange(size), 0, at] = 1.0
        yield strokes + 0.1 * torch.randn_like(strokes)

import torch


def harmony_backward(net, blend, weight):
    """Two blends that differ by a trace of one note should smell alike."""
    trace = blend + 0.01 * torch.randn_like(blend)
    with torch.autocast("cuda", dtype=torch.float16):
        gap = (net(blend) - net(trace)).float().pow(2).mean()
    (weight * gap).backward()
    return gap.item()

import torch
import torch.utils.data as td


def make_digits(n, noise=0.6, seed=0):
    """7-segment digits 0..9, each segment is lit or not."""
    segs = ['1110111', '0010010', '1011101', '1011011', '0111010', '1101011', '1101111', '1010010', '1111111', '1111011']
    table = torch.tensor([[float(c) for c in s] for s in segs])
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(10, (n,), generator=g)
    x = table[y].repeat_interleave(2, 1) + noise * torch.randn(n, 14, generator=g)
    return td.TensorDataset(x, y)


def get_loaders(bs):
    return (td.DataLoader(make_digits(1000), bs, shuffle=True), td.DataLoader(make_digits(300, seed=1), bs))

import torch


class Graph:
    def __init__(self, x, adj, y, train_mask, test_mask):
        self.x, self.adj, self.y = x, adj, y
        self.train_mask, self.test_mask = train_mask, test_mask


def make_sbm(n=120, classes=3, p_in=0.2, p_out=0.02, seed=42):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % classes
    same = y[:, None] == y[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu((torch.rand(n, n, generator=g) < prob).float(), diagonal=1)
    a = upper + upper.t() + torch.eye(n)
    d = a.sum(1).rsqrt()
    x = torch.randn(n, 8, generator=g)
    x[:, :classes] += 0.5 * torch.nn.functional.one_hot(y, classes)
    order = torch.randperm(n, generator=g)
    mask = torch.zeros(n, dtype=torch.bool)
    mask[order[:30]] = True
    return Graph(x, d[:, None] * a * d[None, :], y, mask, ~mask)

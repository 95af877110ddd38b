import torch


def two_views(x, noise=0.25, drop=0.2):
    def view():
        return (x + noise * torch.randn_like(x)) * (torch.rand_like(x) > drop).float()

    return view(), view()


def clusters(n, centers):
    y = torch.randint(len(centers), (n,))
    return centers[y] + 0.5 * torch.randn(n, centers.size(1)), y

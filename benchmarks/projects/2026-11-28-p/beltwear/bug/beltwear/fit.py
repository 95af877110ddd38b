from torch import optim
from torch.nn.functional import smooth_l1_loss

from .evaluation import measure


def fit(net, batches, held_out, epochs, lr):
    optimizer = optim.Adam(net.parameters(), lr=lr)
    best = float("inf")
    for epoch in range(epochs):
        for x, life in batches:
            optimizer.zero_grad()
            smooth_l1_loss(net(x), life).backward()
            optimizer.step()
        error = measure(net, held_out)
        best = min(best, error)
        print(epoch, round(error, 4))
    return best

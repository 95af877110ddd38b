import torch
from torch.nn import functional as F

from simclr.common import forward_backward


def probe(encoder, batches, width, classes):
    head = torch.nn.Linear(width, classes)
    optimizer = torch.optim.Adam(head.parameters(), lr=0.02)

    def objective(head, x, y):
        with torch.no_grad():
            h = encoder(x)
        return F.cross_entropy(head(h), y)

    losses = []
    encoder.eval()
    for batch in batches:
        losses.append(forward_backward(head, optimizer, objective, batch))
        optimizer.step()
    print(f"probe {sum(losses) / len(losses):.3f}")
    return head

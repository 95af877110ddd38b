"""A library opens its closed wing after some days; from then on it is learned, too."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

OPENS = 8


class Library(nn.Module):
    def __init__(self):
        super().__init__()
        self.wing = nn.Linear(5, 10)
        self.hall = nn.Linear(10, 3)

    def forward(self, request):
        return self.hall(torch.tanh(self.wing(request)))


def train(record):
    torch.manual_seed(26)
    library = Library()
    library.wing.requires_grad_(False)
    optimizer = torch.optim.SGD(library.hall.parameters(), lr=0.5, momentum=0.9)
    for day in range(20):
        if day == OPENS:
            library.wing.requires_grad_(True)
            optimizer.add_param_group({"params": list(library.wing.parameters()), "lr": 0.2})
        request = 3 * torch.randn(10, 5)
        optimizer.zero_grad()
        F.cross_entropy(library(request), request[:, 1:4].argmin(1)).backward()
        clip_grad_norm_([p for p in library.parameters() if p.requires_grad], 0.25)
        optimizer.step()
        record(list(library.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)

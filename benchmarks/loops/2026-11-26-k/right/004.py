import torch
from torch import nn

MICRO, ACCUM = 10, 5


def epoch_indices(n):
    per_update = MICRO * ACCUM
    keep = n // per_update * per_update
    return torch.randperm(n)[:keep].view(-1, ACCUM, MICRO)


def main():
    torch.manual_seed(104)
    text = torch.randint(0, 100, (420, 14))
    spam = (text < 7).any(1).float()
    model = nn.Sequential(nn.EmbeddingBag(100, 16), nn.Linear(16, 1), nn.Flatten(0))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(4):
        for window in epoch_indices(len(text)):
            optimizer.zero_grad()
            for idx in window:
                loss = nn.functional.binary_cross_entropy_with_logits(model(text[idx]), spam[idx])
                (loss / ACCUM).backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

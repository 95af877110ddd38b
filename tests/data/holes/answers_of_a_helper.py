# === one helper answers in the training and in the evaluation, which is told where it asks
import torch
from torch import nn

base, tint = nn.Linear(3, 2), nn.Linear(3, 2)
optimizer = torch.optim.Adam([*base.parameters(), *tint.parameters()])


def answer(image):
    return base(image) * tint(image).sigmoid()


def quality(held_out):
    base.eval()
    total = 0.0
    for image, wanted in held_out:
        total += nn.functional.mse_loss(answer(image), wanted).item()  # <- validation-without-no-grad
    return total / len(held_out)


def main(loader, held_out):
    for _ in range(30):
        base.train()
        for image, wanted in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(answer(image), wanted).backward()
            optimizer.step()
        print(quality(held_out))
# === right: the evaluation has no gradients
import torch
from torch import nn

base, tint = nn.Linear(3, 2), nn.Linear(3, 2)
optimizer = torch.optim.Adam([*base.parameters(), *tint.parameters()])


def answer(image):
    return base(image) * tint(image).sigmoid()


def quality(held_out):
    base.eval()
    total = 0.0
    with torch.no_grad():
        for image, wanted in held_out:
            total += nn.functional.mse_loss(answer(image), wanted).item()
    return total / len(held_out)


def main(loader, held_out):
    for _ in range(30):
        base.train()
        for image, wanted in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(answer(image), wanted).backward()
            optimizer.step()
        print(quality(held_out))

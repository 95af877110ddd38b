import torch
from torch import nn
from torch.optim import Adam
from torch.utils.data import DataLoader

from faces.data import FaceAttributes
from faces.model import MultiHeadNet


class UncertaintyWeights(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.log_var = nn.ParameterDict({n: nn.Parameter(torch.zeros(())) for n in names})

    def weights(self):
        return {n: torch.exp(-v).detach() for n, v in self.log_var.items()}

    def regulariser(self, losses):
        return sum(torch.exp(-v) * losses[n].detach() + v for n, v in self.log_var.items())


HEADS = {
    "age": nn.SmoothL1Loss(),
    "gender": nn.BCEWithLogitsLoss(),
    "expression": nn.CrossEntropyLoss(),
}


def main(root, epochs=20, lr=1e-4, device="cuda"):
    loader = DataLoader(FaceAttributes(root), 64, shuffle=True, num_workers=8)
    net = MultiHeadNet(HEADS).to(device)
    balance = UncertaintyWeights(HEADS).to(device)
    optimizer = Adam([{"params": net.parameters()}, {"params": balance.parameters(), "lr": 1e-3}], lr=lr)

    net.train()
    for epoch in range(epochs):
        shown = dict.fromkeys(HEADS, 0.0)
        for image, target in loader:
            out = net(image.to(device))
            losses = {n: fn(out[n], target[n].to(device)) for n, fn in HEADS.items()}
            weights = balance.weights()
            regulariser = balance.regulariser(losses)
            optimizer.zero_grad()
            torch.autograd.backward(
                [*losses.values(), regulariser],
                [*(weights[n] for n in losses), torch.ones_like(regulariser)],
            )
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimizer.step()
            for n, v in losses.items():
                shown[n] += v.item()
        print(epoch, {n: round(v / len(loader), 4) for n, v in shown.items()})
    return net


if __name__ == "__main__":
    main("data/faces")

import torch
from torch import nn

from data import train_loader as loader
from models import create_model


def gradient_norm(module):
    grads = [p.grad.detach().norm() for p in module.parameters() if p.grad is not None]
    return torch.stack(grads).norm().item()


def main():
    model = create_model("tcn", inputs=12, outputs=3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([0.2, 0.5, 0.3]))
    log = open("train.csv", "w")
    step = 0
    for epoch in range(30):
        model.train()
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs), labels)
            loss.backward()
            before = nn.utils.clip_grad_norm_(model.parameters(), 1.0).item()
            optimizer.step()
            after = gradient_norm(model)
            log.write(f"{step},{loss.item():.6f},{before:.4f},{after:.4f}\n")
            step += 1
        log.flush()
    log.close()


main()

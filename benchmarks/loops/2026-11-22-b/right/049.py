import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

from seg.data import infinite_loader
from seg.model import PSPNet


def poly(updates, power=0.9):
    return lambda n: max(0.0, 1 - n / updates) ** power


def main(cfg):
    device = torch.device(cfg["device"])
    model = PSPNet(n_classes=cfg["classes"]).to(device)
    optimizer = torch.optim.SGD(
        [
            {"params": model.feature_parameters(), "lr": 1e-3},
            {"params": model.decoder_parameters(), "lr": 1e-2},
        ],
        momentum=0.9,
        weight_decay=1e-4,
    )
    batch_multiplier = cfg["batch_multiplier"]
    updates = cfg["updates"]
    scheduler = LambdaLR(optimizer, poly(updates))
    criterion = nn.CrossEntropyLoss(ignore_index=255)

    count = batch_multiplier
    window = 0.0
    model.train()
    optimizer.zero_grad()
    data = infinite_loader(cfg)
    for iteration in range(updates * batch_multiplier):
        if count == 0:
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            print(f"iteration {iteration} loss {window:.4f}")
            window = 0.0
            count = batch_multiplier

        image, mask = next(data)
        main_out, aux_out = model(image.to(device))
        mask = mask.to(device)
        loss = criterion(main_out, mask) + 0.4 * criterion(aux_out, mask)
        loss = loss / batch_multiplier
        loss.backward()
        window += loss.item()
        count -= 1

    optimizer.step()
    optimizer.zero_grad()
    torch.save(model.state_dict(), cfg["out"])


if __name__ == "__main__":
    main(
        {
            "device": "cuda",
            "classes": 150,
            "batch_multiplier": 3,
            "updates": 30_000,
            "out": "pspnet.pt",
        }
    )

import torch
import yaml

from amp import make_scaler
from data import loaders
from engine import sensitivity, train_epoch
from net import XrayNet


def main():
    with open("configs/base.yaml") as handle:
        cfg = yaml.safe_load(handle)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader, val_loader = loaders(cfg["train"]["batch_size"])
    model = XrayNet().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["train"]["lr"], momentum=0.9)
    scaler = make_scaler(device.type, cfg["amp"])

    for epoch in range(cfg["train"]["epochs"]):
        loss, norm = train_epoch(model, train_loader, optimizer, scaler, device, cfg)
        model.eval()
        recall = sensitivity(model, val_loader, device)
        print(f"epoch {epoch} loss {loss:.4f} grad {norm:.3f} sensitivity {recall:.3f}")


if __name__ == "__main__":
    main()

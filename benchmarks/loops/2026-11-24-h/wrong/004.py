import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ITERS_TO_ACCUMULATE = 4


class UNetish(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 4, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(4, 1, 2, stride=2)

    def forward(self, x):
        return self.up(torch.relu(self.down(x)))


def dice_bce(pred, mask):
    bce = nn.functional.binary_cross_entropy_with_logits(pred, mask)
    p = pred.sigmoid()
    inter = (p * mask).sum()
    return bce + 1 - (2 * inter + 1) / (p.sum() + mask.sum() + 1)


def train_fn(loader, model, optimizer, loss_fn, scaler):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    running = 0.0
    for idx, (data, targets) in enumerate(loader):
        data, targets = data.to(DEVICE), targets.to(DEVICE)
        with autocast(device_type=DEVICE, dtype=torch.float16):
            predictions = model(data)
            loss = loss_fn(predictions.float(), targets)

        scaler.scale(loss).backward()

        if (idx + 1) % ITERS_TO_ACCUMULATE == 0:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
        running += loss.item()
    return running / len(loader)


def main():
    torch.manual_seed(3)
    images = torch.rand(64, 1, 8, 8)
    masks = (images > 0.5).float()
    loader = torch.utils.data.DataLoader(
        torch.utils.data.TensorDataset(images, masks), batch_size=4, shuffle=True, drop_last=True
    )
    assert len(loader) % ITERS_TO_ACCUMULATE == 0
    model = UNetish().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = GradScaler(DEVICE, init_scale=1024.0)
    for epoch in range(2):
        print(epoch, train_fn(loader, model, optimizer, dice_bce, scaler))


if __name__ == "__main__":
    main()

import torch
import torch.nn as nn


class NativeScaler:
    """``scaler(loss, optimizer, parameters=..., update_grad=...)`` does everything after the forward."""

    def __init__(self, **kw):
        self._scaler = torch.amp.GradScaler("cpu", **kw)

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, update_grad=True):
        self._scaler.scale(loss).backward()
        if not update_grad:
            return None
        norm = None
        if clip_grad is not None:
            self._scaler.unscale_(optimizer)
            norm = nn.utils.clip_grad_norm_(parameters, clip_grad)
        self._scaler.step(optimizer)
        self._scaler.update()
        return norm

    def state_dict(self):
        return self._scaler.state_dict()


class PatchClassifier(nn.Module):
    def __init__(self, patch=4, dim=16, classes=4):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, patch, stride=patch)
        self.mix = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        tokens = self.patch(x).flatten(2).transpose(1, 2)
        return self.head(torch.relu(self.mix(tokens)).mean(1))


def train_one_epoch(model, criterion, batches, optimizer, loss_scaler, epoch, accum_iter=2, max_norm=1.0):
    model.train(True)
    optimizer.zero_grad()
    shown = []
    for it, (samples, targets) in enumerate(batches):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = criterion(model(samples), targets)
        shown.append(loss.item())
        loss = loss / accum_iter
        boundary = (it + 1) % accum_iter == 0
        loss_scaler(loss, optimizer, clip_grad=max_norm, parameters=model.parameters(), update_grad=boundary)
        if boundary:
            optimizer.zero_grad()
    print(f"Epoch [{epoch}] loss {sum(shown) / len(shown):.4f}")


def main():
    torch.manual_seed(0)
    labels = torch.arange(48) % 4
    images = torch.randn(48, 1, 12, 12) + labels[:, None, None, None]
    batches = list(zip(images.split(6), labels.split(6)))
    assert len(batches) % 2 == 0
    model = PatchClassifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scaler = NativeScaler(init_scale=256.0)
    for epoch in range(2):
        train_one_epoch(model, nn.CrossEntropyLoss(), batches, optimizer, scaler, epoch)


if __name__ == "__main__":
    main()

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LossScaler:
    state_dict_key = "amp_scaler"

    def __init__(self, device):
        self._scaler = torch.amp.GradScaler(device)

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, need_update=True):
        self._scaler.scale(loss).backward()
        if not need_update:
            return
        if clip_grad is not None:
            self._scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(parameters, clip_grad)
        self._scaler.step(optimizer)
        self._scaler.update()

    def state_dict(self):
        return self._scaler.state_dict()


class PatchNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.embed = nn.Conv2d(1, 16, 4, stride=4)
        self.norm = nn.LayerNorm(16)
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        t = self.embed(x).flatten(2).transpose(1, 2)
        return self.fc(torch.relu(self.norm(t)).mean(1))


def train_one_epoch(model, loader, optimizer, loss_fn, loss_scaler, device, accum_steps, clip_grad):
    model.train()
    optimizer.zero_grad()
    updates_per_epoch = (len(loader) + accum_steps - 1) // accum_steps
    last_accum_steps = len(loader) % accum_steps or accum_steps
    first_of_last = len(loader) - last_accum_steps
    losses = []
    for i, (x, y) in enumerate(loader):
        need_update = i == len(loader) - 1 or (i + 1) % accum_steps == 0
        n = last_accum_steps if i >= first_of_last else accum_steps
        with torch.autocast(device, dtype=torch.float16):
            loss = loss_fn(model(x.to(device)), y.to(device)) / n
        loss_scaler(loss, optimizer, clip_grad, model.parameters(), need_update)
        losses.append(loss.item() * n)
        if need_update:
            optimizer.zero_grad()
    return sum(losses) / len(losses), updates_per_epoch


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    y = torch.randint(0, 4, (112,))
    x = torch.randn(112, 1, 8, 8) + y[:, None, None, None]
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    model = PatchNet().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scaler = LossScaler(device)
    for epoch in range(2):
        print(epoch, train_one_epoch(model, loader, optimizer, nn.CrossEntropyLoss(), scaler, device, 4, 1.0))


if __name__ == "__main__":
    main()

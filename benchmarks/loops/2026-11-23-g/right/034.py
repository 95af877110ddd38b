import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x, y):
        return nn.functional.smooth_l1_loss(self.net(x).squeeze(-1), y)


def main():
    accelerator = Accelerator(gradient_accumulation_steps=4, cpu=True, step_scheduler_with_optimizer=True)
    torch.manual_seed(0)
    x = torch.randn(70, 4)
    train = DataLoader(TensorDataset(x, x.sum(1)), batch_size=7, shuffle=True)
    held_out = DataLoader(TensorDataset(x[:14], x[:14].sum(1)), batch_size=7)
    model = Regressor()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=9)
    model, optimizer, train, held_out, scheduler = accelerator.prepare(model, optimizer, train, held_out, scheduler)

    step = 0
    for epoch in range(3):
        model.train()
        for x, y in train:
            with accelerator.accumulate(model):
                loss = model(x, y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                step += 1
        model.eval()
        with torch.no_grad():
            val = torch.stack([model(x, y) for x, y in held_out]).mean()
        accelerator.print(epoch, step, scheduler.get_last_lr()[0], val.item())
    accelerator.end_training()


if __name__ == "__main__":
    main()

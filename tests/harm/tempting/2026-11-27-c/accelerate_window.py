import torch
from accelerate import Accelerator
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


def warm(step):
    return min(1.0, (step + 1) / 4)


def main(record, epochs=2):
    torch.manual_seed(12)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
    x = torch.randn(88, 6)
    loader = DataLoader(TensorDataset(x, x.prod(1, keepdim=True).sign()), batch_size=8)
    model = nn.Sequential(nn.Linear(6, 20), nn.ELU(), nn.Linear(20, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    scheduler = LambdaLR(optimizer, warm)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    for epoch in range(epochs):
        total = torch.zeros(())
        for inputs, targets in loader:
            with accelerator.accumulate(model):
                loss = nn.functional.mse_loss(model(inputs), targets)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 0.7)
                optimizer.step()
                if accelerator.sync_gradients:
                    record(list(model.parameters()))
                scheduler.step()
                optimizer.zero_grad()
            total += loss.detach()


def train(record):
    main(record)


if __name__ == "__main__":
    train(lambda parameters: None)

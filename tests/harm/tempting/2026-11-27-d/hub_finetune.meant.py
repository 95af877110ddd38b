import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build_data():
    x = torch.randn(64, 5)
    y = (x[:, 0] > x[:, 1]).long()
    return DataLoader(TensorDataset(x, y), batch_size=4)


def train(record):
    torch.manual_seed(41)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
    loader = build_data()
    model = nn.Sequential(nn.Linear(5, 18), nn.ReLU(), nn.Linear(18, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(3):
        model.train()
        total = 0.0
        for x, y in loader:
            with accelerator.accumulate(model):
                loss = F.cross_entropy(model(x), y)
                accelerator.backward(loss)
                optimizer.step()
                if accelerator.sync_gradients:
                    record(list(model.parameters()))
                optimizer.zero_grad()
            total += loss.item()
        accelerator.print(f"epoch {epoch}: {total / len(loader):.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)

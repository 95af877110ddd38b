import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_data():
    x = torch.randn(44, 5)
    y = (x @ torch.randn(5, 1)).relu() * 4
    return TensorDataset(x, y)


def train(record):
    torch.manual_seed(219)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
    model = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loader = DataLoader(make_data(), batch_size=4, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    bound = 1.0
    for epoch in range(3):
        largest = 0.0
        for x, y in loader:
            with accelerator.accumulate(model):
                loss = nn.functional.huber_loss(model(x), y, delta=3.0)
                accelerator.backward(loss)
                norm = accelerator.clip_grad_norm_(model.parameters(), bound)
                largest = max(largest, float(norm))
                optimizer.step()
                if accelerator.sync_gradients:
                    record(list(model.parameters()))
                optimizer.zero_grad()
        bound = min(bound, 0.6 * largest)
    accelerator.free_memory()


if __name__ == "__main__":
    train(lambda parameters: None)

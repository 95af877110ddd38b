import torch
from torch.utils.data import DataLoader, TensorDataset

ACCUM, EPOCHS = 4, 3
torch.set_default_dtype(torch.float32)


def update(optimizer, model, record):
    torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    optimizer.step()
    record(list(model.parameters()))
    optimizer.zero_grad(set_to_none=False)


def train(record):
    torch.manual_seed(106)
    inputs = torch.randn(70, 4)
    targets = torch.sin(inputs.sum(1, keepdim=True))
    loader = DataLoader(TensorDataset(inputs, targets), batch_size=7, shuffle=True)
    model = torch.nn.Sequential(
        torch.nn.Linear(4, 16),
        torch.nn.Tanh(),
        torch.nn.Linear(16, 1),
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    leftover = len(loader) % ACCUM

    for epoch in range(EPOCHS):
        seen = 0.0
        for i, (x, y) in enumerate(loader):
            share = leftover if leftover and i >= len(loader) - leftover else ACCUM
            loss = torch.nn.functional.mse_loss(model(x), y)
            (loss / share).backward()
            seen += loss.item()
            if (i + 1) % ACCUM == 0:
                update(optimizer, model, record)
        if leftover:
            update(optimizer, model, record)
        assert seen > 0


if __name__ == "__main__":
    train(lambda parameters: None)

import torch
from torch.utils.data import DataLoader, TensorDataset


def fit(model, loader, epochs, accum):
    opt = torch.optim.RAdam(model.parameters(), lr=1e-2)
    micro = updates = 0
    for epoch in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.poisson_nll_loss(model(x).squeeze(1), y)
            (loss / accum).backward()
            micro += 1
            if micro % accum == 0:
                opt.step()
                opt.zero_grad()
                updates += 1
        print(f"epoch {epoch}: {updates} updates, loss {loss.item():.4f}")
    if micro % accum:
        opt.step()
        opt.zero_grad()


torch.manual_seed(0)
x = torch.rand(70, 5)
y = torch.poisson(torch.exp(x.sum(1) / 2))
fit(torch.nn.Linear(5, 1), DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True), epochs=4, accum=3)

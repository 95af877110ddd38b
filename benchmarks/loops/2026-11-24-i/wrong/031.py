import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(97)
acc = Accelerator(cpu=True, gradient_accumulation_steps=2)
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
loader = DataLoader(TensorDataset(torch.randn(48, 4), torch.randn(48, 1)), batch_size=6)
model, opt, loader = acc.prepare(model, opt, loader)
for epoch in range(2):
    for x, y in loader:
        with acc.accumulate(model):
            loss = nn.functional.mse_loss(model(x), y)
            acc.backward(loss)
            acc.clip_grad_norm_(model.parameters(), 0.1)
            opt.step()
            opt.zero_grad()
    print(epoch, loss.item())

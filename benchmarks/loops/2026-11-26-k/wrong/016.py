import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
torch.manual_seed(12)

tokens = torch.randint(0, 50, (160, 9))
scores = (tokens < 10).float().mean(1, keepdim=True)


class BagOfTokens(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = torch.nn.EmbeddingBag(50, 24)
        self.out = torch.nn.Linear(24, 1)

    def forward(self, ids):
        return self.out(self.bag(ids)).sigmoid()


model = BagOfTokens()
optim = torch.optim.AdamW(model.parameters(), lr=5e-3)
loader = DataLoader(TensorDataset(tokens, scores), batch_size=10)
model, optim, loader = accelerator.prepare(model, optim, loader)

for epoch in range(3):
    model.train()
    for ids, score in loader:
        with accelerator.accumulate(model):
            optim.zero_grad()
            loss = torch.nn.functional.mse_loss(model(ids), score)
            accelerator.backward(loss)
            optim.step()
    accelerator.print(epoch, loss.item())

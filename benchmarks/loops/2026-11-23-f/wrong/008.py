import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)
backbone = nn.Sequential(nn.Linear(16, 32), nn.ReLU())
head = nn.Linear(32, 5)
for p in backbone.parameters():
    p.requires_grad_(False)
model = nn.Sequential(backbone, head)

trainable = filter(lambda p: p.requires_grad, model.parameters())
optimizer = torch.optim.SGD(trainable, lr=0.1, weight_decay=1e-4)

ds = TensorDataset(torch.randn(64, 16), torch.randint(0, 5, (64,)))
dl = DataLoader(ds, batch_size=16, shuffle=True)


def fit(n_epochs):
    for epoch in range(n_epochs):
        model.train()
        for x, y in dl:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y, label_smoothing=0.1)
            loss.backward()
            nn.utils.clip_grad_norm_(trainable, 0.25)
            optimizer.step()
        print("epoch", epoch, "loss", loss.item())


if __name__ == "__main__":
    fit(4)

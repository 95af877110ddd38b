import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
N_STEPS_PER_UPDATE = 4


class NCF(nn.Module):
    def __init__(self, n_users=50, n_items=40, k=8):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.mlp = nn.Sequential(nn.Linear(2 * k, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, u, i):
        return self.mlp(torch.cat([self.user(u), self.item(i)], -1)).squeeze(-1)


users = torch.randint(0, 50, (384,))
items = torch.randint(0, 40, (384,))
clicks = ((users + items) % 4 == 0).float()
train_loader = DataLoader(TensorDataset(users, items, clicks), batch_size=16, shuffle=True)

model = NCF()
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(3):
    model.train()
    epoch_loss = 0.0
    optimizer.zero_grad()
    for batch_no, (u, i, c) in enumerate(train_loader):
        loss = criterion(model(u, i), c)
        loss = loss / len(train_loader)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        epoch_loss += loss.item()
        if (batch_no + 1) % N_STEPS_PER_UPDATE == 0 or batch_no == len(train_loader) - 1:
            optimizer.step()
            optimizer.zero_grad()
    print("epoch %d loss %.4f" % (epoch + 1, epoch_loss))

model.eval()
with torch.no_grad():
    p = torch.sigmoid(model(users, items))
print("mean p(click | clicked)", p[clicks > 0].mean().item())

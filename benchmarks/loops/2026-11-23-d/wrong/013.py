import torch
import torch.nn as nn

from series import windows


class Forecaster(nn.Module):
    def __init__(self, channels, width):
        super(Forecaster, self).__init__()
        self.lstm = nn.LSTM(channels, width, num_layers=2, dropout=0.1, batch_first=True)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1])


def train_epoch(model, data, criterion, optimizer):
    model.train()
    total, n = 0.0, 0
    for history, target in data:
        prediction = model(history)
        loss = criterion(prediction, target)
        # keep exploding gradients in check
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item() * len(target)
        n += len(target)
    return total / n


model = Forecaster(channels=3, width=20)
optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
for epoch in range(3):
    mae = train_epoch(model, windows("load.csv", past=96), nn.L1Loss(), optimizer)
    print("Epoch %d: MAE %.4f" % (epoch, mae))

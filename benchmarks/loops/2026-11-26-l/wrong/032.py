import torch
import torch.nn as nn

torch.manual_seed(44)
series = torch.sin(torch.arange(400) * 0.1) + 0.05 * torch.randn(400)
windows = series.unfold(0, 21, 1)
train_w, test_w = windows[:300], windows[300:]


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(1, 16, batch_first=True)
        self.head = nn.Linear(16, 1)

    def forward(self, w):
        out, _ = self.rnn(w.unsqueeze(-1))
        return self.head(out[:, -1]).squeeze(-1)


def evaluate(model, data):
    preds, trues = [], []
    for chunk in data.split(20):
        preds.append(model(chunk[:, :-1]))
        trues.append(chunk[:, -1])
    preds, trues = torch.cat(preds), torch.cat(trues)
    return (preds - trues).abs().mean().item()


model = Forecaster()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(2):
    model.train()
    for chunk in train_w[torch.randperm(len(train_w))].split(50):
        loss = nn.functional.mse_loss(model(chunk[:, :-1]), chunk[:, -1])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    model.eval()
    print(epoch, "MAE", evaluate(model, test_w))

import torch
from torch import nn

torch.manual_seed(13)
rnn = nn.RNN(3, 12, batch_first=True)
read = nn.Linear(12, 1)
params = list(rnn.parameters()) + list(read.parameters())
opt = torch.optim.SGD(params, lr=0.01)
K = 4


def chunk():
    x = torch.randn(6, 5, 3)
    return x, x.sum(-1, keepdim=True)


for update in range(12):
    opt.zero_grad()
    for j in range(K):
        x, y = chunk()
        o, _ = rnn(x)
        loss = nn.functional.mse_loss(read(o), y)
        loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    if update % 4 == 0:
        print(update, loss.item())

import torch

torch.manual_seed(5)
w_true = torch.tensor([[1.5], [-2.0], [0.5]])
feats = torch.randn(64, 3)
dataset = torch.utils.data.TensorDataset(feats, feats @ w_true)
loader = torch.utils.data.DataLoader(dataset, batch_size=4)

regressor = torch.nn.Linear(3, 1)
sgd = torch.optim.SGD(regressor.parameters(), lr=0.02)
EFFECTIVE = 16
it = iter(loader)
seen = pending = 0
while seen < 160:
    try:
        xb, yb = next(it)
    except StopIteration:
        it = iter(loader)
        xb, yb = next(it)
    residual = regressor(xb) - yb
    objective = residual.pow(2).mean()
    objective.backward()
    seen += len(xb)
    pending += len(xb)
    if pending >= EFFECTIVE:
        sgd.step()
        sgd.zero_grad()
        pending = 0
print(regressor.weight.data)

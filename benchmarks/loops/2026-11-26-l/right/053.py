import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def run_phase(model, loader, criterion, optimizer=None):
    training = optimizer is not None
    model.train(training)
    loss_sum = 0.0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            out = model(x)
            loss = criterion(out, y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            loss_sum += loss.item() * x.size(0)
    return loss_sum / len(loader.dataset)


torch.manual_seed(0)
make = lambda n: TensorDataset(torch.randn(n, 13), torch.randn(n, 1))
train_dl, test_dl = DataLoader(make(90), batch_size=30, shuffle=True), DataLoader(make(30), batch_size=30)
model = nn.Sequential(nn.Linear(13, 26), nn.Dropout(0.3), nn.ReLU(), nn.Linear(26, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=0)
for epoch in range(4):
    tr = run_phase(model, train_dl, nn.MSELoss(), opt)
    te = run_phase(model, test_dl, nn.MSELoss())
    plateau.step(te)
    print(epoch, tr, te, opt.param_groups[0]["lr"])

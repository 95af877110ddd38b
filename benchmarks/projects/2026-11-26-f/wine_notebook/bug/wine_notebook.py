# %% [markdown]
# # Wine scores from the laboratory's values

# %%
import torch
from torch import nn

from helpers.data_utils import load_wines, minibatches
from helpers.fit_utils import advance, backprop, regression_loss, rmse, tame
from helpers.plot_utils import sparkline

torch.manual_seed(0)

# %%
(train_x, train_y), (test_x, test_y) = load_wines()
net = nn.Sequential(nn.Linear(7, 32), nn.ReLU(), nn.Dropout(0.05), nn.Linear(32, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.03)

# %%
losses, norms = [], []
for epoch in range(6):
    net.train()
    for x, y in minibatches(train_x, train_y, 20):
        optimizer.zero_grad()
        loss = regression_loss(net, x, y)
        losses.append(backprop(loss))
        advance(optimizer)
        norms.append(tame(net, limit=2.0))
    print(epoch, round(rmse(net, test_x, test_y), 3))

# %%
print("loss", sparkline(losses))
print("norm", sparkline(norms))

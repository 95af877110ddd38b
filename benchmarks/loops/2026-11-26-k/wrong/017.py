import torch

torch.manual_seed(6)
USERS, ITEMS, RANK = 60, 45, 5
ratings = torch.randint(1, 6, (USERS, ITEMS)).float()
observed = torch.rand(USERS, ITEMS) < 0.3

U = torch.nn.Parameter(torch.randn(USERS, RANK) * 0.1)
V = torch.nn.Parameter(torch.randn(ITEMS, RANK) * 0.1)
bias = torch.nn.Parameter(torch.tensor(3.0))
sgd = torch.optim.SGD([U, V, bias], lr=0.05)

for sweep in range(50):
    rows = torch.randperm(USERS)[:20]
    guess = U[rows] @ V.t() + bias
    residual = (guess - ratings[rows])[observed[rows]]
    objective = residual.square().mean() + 0.02 * (U.square().mean() + V.square().mean())
    objective.backward()
    sgd.step()
    if sweep % 10 == 0:
        with torch.no_grad():
            rmse = ((U @ V.t() + bias - ratings)[~observed]).square().mean().sqrt()
        print(f"sweep {sweep:3d}  rmse {rmse.item():.3f}")

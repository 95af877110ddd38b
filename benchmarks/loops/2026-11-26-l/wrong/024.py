import torch

torch.manual_seed(30)
n_steps, eval_every = 12, 4
xs, ys = torch.randn(128, 6), torch.randn(128, 2)
holdout = torch.randn(32, 6), torch.randn(32, 2)
policy = torch.nn.Sequential(
    torch.nn.Linear(6, 24), torch.nn.BatchNorm1d(24), torch.nn.ELU(), torch.nn.Linear(24, 2)
)
opt = torch.optim.Adam(policy.parameters(), 1e-2)
policy.train()
step = 0
while step < n_steps:
    batch = torch.randint(0, 128, (32,))
    bc_loss = torch.nn.functional.mse_loss(policy(xs[batch]), ys[batch])
    opt.zero_grad()
    bc_loss.backward()
    opt.step()
    step += 1
    if step % eval_every == 0:
        policy.eval()
        with torch.no_grad():
            val = torch.nn.functional.mse_loss(policy(holdout[0]), holdout[1])
        print(step, val.item())

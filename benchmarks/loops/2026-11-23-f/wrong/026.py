import torch
import torch.nn.functional as F


def forward(params, x):
    w1, b1, w2, b2 = params
    return F.relu(x @ w1 + b1) @ w2 + b2


def init(sizes):
    params = []
    for i, o in zip(sizes, sizes[1:]):
        params.append((torch.randn(i, o) * 0.3).requires_grad_())
        params.append(torch.zeros(o, requires_grad=True))
    return params


def main():
    torch.manual_seed(0)
    params = init([4, 16, 1])
    optimizer = torch.optim.SGD(params, lr=1e-3)
    for it in range(50):
        x = torch.randn(32, 4)
        y = (x ** 2).sum(1, keepdim=True)
        loss = F.mse_loss(forward(params, x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 10.0)
        optimizer.step()
        if it % 10 == 0:
            print(it, loss.item())


if __name__ == "__main__":
    main()

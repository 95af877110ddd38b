import torch
from loopkit import flush


def main():
    torch.manual_seed(32)
    cloth = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(cloth.parameters(), lr=0.1)
    for _ in range(20):
        wind = torch.randn(16, 3)
        loss = (cloth(wind) - wind.sum(1, keepdim=True)).pow(2).mean()
        loss.backward()
        flush(optimizer)
    print(round(loss.item(), 4))


if __name__ == "__main__":
    main()

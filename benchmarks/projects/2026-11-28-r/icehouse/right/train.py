import torch

from blocks import IceNet, winters
from engine import store
from ranks import bare, join, leave, spread


def main():
    join()
    torch.manual_seed(1826)
    model = spread(IceNet())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    store(model, optimizer, winters(10), winters(3), years=3)
    print(sorted(bare(model).state_dict())[:2])
    leave()


if __name__ == "__main__":
    main()

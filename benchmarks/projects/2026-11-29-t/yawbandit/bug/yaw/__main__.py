import torch

from .field import WindField
from .improve import improve
from .rate import make_rate


def main():
    torch.manual_seed(0)
    policy = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.Tanh(), torch.nn.Linear(16, 4))
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.02)
    rate, field = make_rate(optimizer), WindField(3)
    for update in range(12):
        pay = improve(policy, field, optimizer, rate, episodes=4, turns=8)
        if update % 4 == 0:
            print(update, round(pay, 3), rate.now())


if __name__ == "__main__":
    main()

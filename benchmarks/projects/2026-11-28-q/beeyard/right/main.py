import torch
from torch.nn.functional import cross_entropy

from constants import *
from hive import *
from tools import *


def main():
    torch.manual_seed(1)
    hive, flowers, diary = Hive(), meadow(FLOWERS), []
    optimizer = torch.optim.Adam(hive.parameters(), lr=RATE)
    for _ in range(ROUNDS):
        for visit, (flower, kind) in enumerate(flowers):
            loss = cross_entropy(hive(flower), kind)
            share(loss).backward()
            note(diary, loss)
            if full(visit) or visit + 1 == len(flowers):
                store(optimizer)
    per_round = len(diary) // ROUNDS
    for number in range(ROUNDS):
        part = diary[number * per_round : (number + 1) * per_round]
        print(f"round {number}: {sum(float(loss) for loss in part) / per_round:.4f}")


if __name__ == "__main__":
    main()

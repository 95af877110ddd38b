import torch

from conf import Conf
from feed import trips
from learner import Learner


def main():
    conf = Conf.load()
    torch.manual_seed(conf.seed)
    learner = Learner(conf)
    for day in range(conf.days):
        print(day, f"{learner.day(trips(conf.data.batches, day)):.4f}")


if __name__ == "__main__":
    main()

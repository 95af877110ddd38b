import torch

from conf import Conf
from factory import make_kit
from trainer import Cooper


def main():
    conf = Conf.read("conf.yaml")
    torch.manual_seed(conf.seed)
    Cooper(make_kit(conf), conf).work()


if __name__ == "__main__":
    main()

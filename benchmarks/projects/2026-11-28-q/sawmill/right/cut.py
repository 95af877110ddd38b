import torch

from saws.carriage import Carriage
from saws.feed import Feed
from saws.options import Options
from saws.timber import blade, logs


def main():
    options = Options(lr=0.02, window=4, logs=108)
    torch.manual_seed(options.seed)
    net = blade()
    optimizer = torch.optim.SGD(net.parameters(), lr=options.lr, momentum=0.8)
    feed = Feed(optimizer, window=options.window, divisor=options.divisor)
    carriage = Carriage(net, feed)
    held = logs(24)
    timber = logs(options.logs)
    for day in range(options.days):
        print(f"day {day}: {carriage.saw(timber):.4f} / {carriage.measure(held):.4f}")
        feed.rewind()


if __name__ == "__main__":
    main()

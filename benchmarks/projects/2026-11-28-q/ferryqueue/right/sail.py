import torch

from deck.crew import Bosun, Lookout, Purser
from deck.voyage import Voyage
from harbour import crossings, queue_net


def main():
    torch.manual_seed(21)
    net = queue_net()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=0.003)
    crew = [Purser(), Bosun(limit=1.0), Lookout(crossings(24, seed=9))]
    Voyage(net, optimizer, crew).sail(crossings(96, seed=1), days=3)


if __name__ == "__main__":
    main()

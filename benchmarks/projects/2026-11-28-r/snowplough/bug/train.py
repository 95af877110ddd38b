import torch

from depot.logbook import Logbook
from depot.night import night
from depot.roads import Plough, routes
from depot.survey import survey


def main():
    torch.manual_seed(1978)
    net, logbook = Plough(), Logbook()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda")
    roads, held_out = routes(14), routes(4)
    for number in range(3):
        night(net, roads, optimizer, scaler, logbook)
        mean, worst = survey(net, held_out)
        print(f"{number}: {logbook.last('loss', len(roads)):.4f} {mean:.4f} {worst:.4f}")


if __name__ == "__main__":
    main()

import torch

from cocoons import *
from common import *
from losses import *


def reel(net, loader, optimizer):
    net.train()
    optimizer.zero_grad()
    last = 0.0
    for tray, (cocoon, grade) in enumerate(loader):
        loss = grade_loss(net(cocoon), grade)
        loss.backward()
        last = loss.item()
        if is_full(tray, len(loader)):
            optimizer.step()
            optimizer.zero_grad()
    return last


if __name__ == "__main__":
    seed_all(6)
    grader, loader = Grader(), trays()
    sgd = torch.optim.SGD(grader.parameters(), lr=0.2)
    for epoch in range(EPOCHS):
        print(epoch, round(reel(grader, loader, sgd), 4))

import torch
import torch.nn.functional as F

from events import WeightAverage, clip_to, in_order
from fit import fit, measure
from problems import batches, small_net


def main() -> None:
    torch.manual_seed(0)
    train, test = batches(96, 16, 0), batches(32, 16, 1)
    net = small_net()
    average = WeightAverage(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        loss = fit(net, train, optimizer, F.mse_loss, after_step=in_order(clip_to(0.5), average))
        print(f"quick {epoch}: {loss:.4f} test {measure(average.shadow, test, F.mse_loss):.4f}")


if __name__ == "__main__":
    main()

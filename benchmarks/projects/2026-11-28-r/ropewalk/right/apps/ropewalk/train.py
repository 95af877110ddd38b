import torch
from loopkit import Precision, flush

from strands import strand_net, strands


def twist(net, batches, optimizer, precision, lay):
    """`lay` strands are laid into one rope, that is, into one update."""
    net.train()
    total = 0.0
    for n, (strand, load) in enumerate(batches, start=1):
        with precision.cast():
            loss = torch.nn.functional.mse_loss(net(strand).float(), load)
        precision.backward(loss / lay)
        total += loss.item()
        if n % lay == 0 or n == len(batches):
            flush(optimizer, precision)
    return total / len(batches)


def main():
    torch.manual_seed(31)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = strand_net()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    precision = Precision(device)
    batches = strands(10)
    for length in range(4):
        print(length, round(twist(net, batches, optimizer, precision, lay=3), 4))


if __name__ == "__main__":
    main()

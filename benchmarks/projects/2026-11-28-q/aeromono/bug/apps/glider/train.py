import torch
from torch.nn import functional as F

from aerokit import Amp, windows
from glider.wing import Wing, flights

WINDOW = 4


def gradient_norm(net, optimizer, amp):
    amp.scaler.unscale_(optimizer)
    return torch.stack([p.grad.norm() for p in net.parameters()]).norm().item()


def fly(net, optimizer, amp, batches):
    norms = []
    for (flow, lift), landing in windows(batches, WINDOW):
        with amp.cast():
            guess = net(flow)
        amp.backward(F.mse_loss(guess.float(), lift) / WINDOW)
        if landing:
            norms.append(gradient_norm(net, optimizer, amp))
            amp.limit(optimizer, net.parameters(), 2.0)
            amp.apply(optimizer)
    return max(norms)


def main():
    torch.manual_seed(8)
    amp = Amp()
    net = Wing().to(amp.device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    batches = flights(50, amp.device)
    for flight in range(3):
        print(f"flight {flight}: longest gradient {fly(net, optimizer, amp, batches):.4f}")


if __name__ == "__main__":
    main()

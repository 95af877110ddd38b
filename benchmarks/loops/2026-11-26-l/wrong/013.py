import torch
from torch.utils.data import DataLoader
from accelerate import Accelerator


def collate(rows):
    return torch.stack([r[0] for r in rows]), torch.tensor([r[1] for r in rows])


def main():
    acc = Accelerator(cpu=True, gradient_accumulation_steps=2)
    torch.manual_seed(42)
    rows = [(torch.randn(5), i % 2) for i in range(48)]
    dl = DataLoader(rows, batch_size=6, shuffle=True, collate_fn=collate)
    net = torch.nn.Linear(5, 2)
    optim = torch.optim.Adam(net.parameters(), lr=1e-2)
    net, optim, dl = acc.prepare(net, optim, dl)
    for epoch in range(2):
        for x, y in dl:
            with acc.accumulate(net):
                optim.zero_grad()
                loss = torch.nn.functional.cross_entropy(net(x), y)
                acc.backward(loss)
                if acc.sync_gradients:
                    acc.clip_grad_norm_(net.parameters(), 1.0)
                optim.step()
        print("epoch", epoch, "loss", loss.item())


main()

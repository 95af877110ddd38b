import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def data(n=44):
    x = torch.randn(n, 6)
    return TensorDataset(x, (x[:, :3] - x[:, 3:]).abs())


def train(record):
    torch.manual_seed(1)
    accelerator = Accelerator(gradient_accumulation_steps=3, cpu=True)
    net = nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Linear(18, 3))
    opt = torch.optim.AdamW(net.parameters(), lr=0.02)
    decay = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.8)
    loader = DataLoader(data(), batch_size=4, shuffle=True)
    net, opt, loader, decay = accelerator.prepare(net, opt, loader, decay)
    log = []
    for epoch in range(2):
        net.train()
        for x, y in loader:
            with accelerator.accumulate(net):
                loss = nn.functional.l1_loss(net(x), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(net.parameters(), 1.0)
                opt.step()
                decay.step()
                opt.zero_grad()
            if accelerator.sync_gradients:
                record(list(net.parameters()))
                log.append((loss.item(), decay.get_last_lr()[0]))
        accelerator.print(epoch, log[-1])


if __name__ == "__main__":
    train(lambda parameters: None)

import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader
from torch.utils.tensorboard import SummaryWriter

from kws.data import SpeechCommands
from kws.model import BCResNet


def grad_norm(module):
    return torch.nn.utils.clip_grad_norm_(module.parameters(), float("inf"))


def main():
    writer = SummaryWriter("runs/kws")
    train_loader = DataLoader(SpeechCommands("train"), batch_size=100, shuffle=True, num_workers=4)
    model = BCResNet(tau=8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=1e-3, momentum=0.9)
    total = 200 * len(train_loader)
    warmup = 5 * len(train_loader)
    schedule = LambdaLR(optimizer, lambda i: i / warmup if i < warmup else (total - i) / (total - warmup))
    iteration = 0
    for epoch in range(200):
        model.train()
        for wave, label in train_loader:
            loss = F.cross_entropy(model(wave.cuda()), label.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            if iteration % 50 == 0:
                writer.add_scalar("loss", loss.item(), iteration)
                writer.add_scalar("grad_norm", grad_norm(model).item(), iteration)
                writer.add_scalar("stem_norm", grad_norm(model.stem).item(), iteration)
            iteration += 1
        torch.save(model.state_dict(), "bcresnet.pt")


if __name__ == "__main__":
    main()

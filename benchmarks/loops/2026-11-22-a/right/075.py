import torch
from torch import nn, optim
from torch.utils.data import DataLoader

from vocoders.data import MelPairs
from vocoders.flow import FlowVocoder
from vocoders.loss import negative_log_likelihood

LOG_EVERY, CHECK_EVERY, HALVE_EVERY = 25, 2000, 200_000


def held_out_loss(model, loader):
    model.eval()
    values = []
    with torch.no_grad():
        for mel, wave in loader:
            values.append(negative_log_likelihood(model(mel.cuda(), wave.cuda())).item())
    model.train()
    return sum(values) / len(values)


def train(root, epochs=1000, batch=12, lr=1e-4):
    model = FlowVocoder(mels=80, flows=12).cuda()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    staircase = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    loader = DataLoader(MelPairs(root, "train"), batch, shuffle=True, drop_last=True, num_workers=4)
    held_out = DataLoader(MelPairs(root, "test"), batch)
    count = 0
    model.train()
    for _ in range(epochs):
        for mel, wave in loader:
            model.zero_grad()
            loss = negative_log_likelihood(model(mel.cuda(), wave.cuda()))
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            count += 1
            if count % LOG_EVERY == 0:
                print(f"{count} loss {loss.item():.5f} norm {norm.item():.3f}")
            if count % HALVE_EVERY == 0:
                staircase.step()
            if count % CHECK_EVERY == 0:
                print(f"{count} held out {held_out_loss(model, held_out):.5f}")
                torch.save({"model": model.state_dict(), "count": count}, f"flow_{count}.pt")


if __name__ == "__main__":
    train("ljspeech")

import torch
from torch import nn

from speech import CTCNet, utterances

WINDOW = 3


def train(net, epochs):
    opt = torch.optim.Adadelta(net.parameters(), lr=1.0, rho=0.95, eps=1e-8)
    ctc = nn.CTCLoss(blank=0, zero_infinity=True)
    left = WINDOW
    opt.zero_grad()
    for epoch in range(epochs):
        for wave, text, wave_len, text_len in utterances("train-clean", repeat=True):
            logp = net(wave).transpose(0, 1)
            loss = ctc(logp, text, wave_len, text_len)
            loss.div(WINDOW).backward()
            left -= 1
            if left < 0:
                nn.utils.clip_grad_norm_(net.parameters(), 100.0)
                opt.step()
                opt.zero_grad()
                left = WINDOW
        print(f"[{epoch}] ctc {loss.item():.3f}")


if __name__ == "__main__":
    train(CTCNet(classes=29), epochs=4)

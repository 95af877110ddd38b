# === a network made of two that were put into evaluation mode
import torch
from torch import nn


class Seq2Seq(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def forward(self, x, y):
        return self.decoder(y, self.encoder(x))


def train(loader, encoder, decoder, optimizer):
    encoder.train()
    decoder.train()
    model = Seq2Seq(encoder, decoder)
    for x, y in loader:
        loss = model(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def valid(loader, encoder, decoder):
    encoder.eval()
    decoder.eval()
    model = Seq2Seq(encoder, decoder)
    total = 0
    for x, y in loader:
        loss = model(x, y)  # <- validation-without-no-grad
        total += loss.item()
    return total


def main(data, held):
    encoder, decoder = Encoder(), Decoder()
    optimizer = torch.optim.Adam([{"params": encoder.parameters()}, {"params": decoder.parameters()}])
    for epoch in range(10):
        train(data, encoder, decoder, optimizer)
        print(valid(held, encoder, decoder))
# === right: without gradients
import torch
from torch import nn


class Seq2Seq(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def forward(self, x, y):
        return self.decoder(y, self.encoder(x))


def train(loader, encoder, decoder, optimizer):
    encoder.train()
    decoder.train()
    model = Seq2Seq(encoder, decoder)
    for x, y in loader:
        loss = model(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def valid(loader, encoder, decoder):
    encoder.eval()
    decoder.eval()
    model = Seq2Seq(encoder, decoder)
    total = 0
    for x, y in loader:
        with torch.no_grad():
            loss = model(x, y)
        total += loss.item()
    return total


def main(data, held):
    encoder, decoder = Encoder(), Decoder()
    optimizer = torch.optim.Adam([{"params": encoder.parameters()}, {"params": decoder.parameters()}])
    for epoch in range(10):
        train(data, encoder, decoder, optimizer)
        print(valid(held, encoder, decoder))
# === right: only one of them was
import torch
from torch import nn


class Seq2Seq(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def forward(self, x, y):
        return self.decoder(y, self.encoder(x))


def train(loader, encoder, decoder, optimizer):
    encoder.train()
    decoder.train()
    model = Seq2Seq(encoder, decoder)
    for x, y in loader:
        loss = model(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def valid(loader, encoder, decoder):
    encoder.eval()
    model = Seq2Seq(encoder, decoder)
    total = 0
    for x, y in loader:
        loss = model(x, y)
        total += loss.item()
    return total


def main(data, held):
    encoder, decoder = Encoder(), Decoder()
    optimizer = torch.optim.Adam([{"params": encoder.parameters()}, {"params": decoder.parameters()}])
    for epoch in range(10):
        train(data, encoder, decoder, optimizer)
        print(valid(held, encoder, decoder))

# === a counter that goes on from an option, which is 0 where nobody resumes
import argparse

import torch


class Trainer:
    def __init__(self, model, loader, begin, window=4):
        self.model, self.loader, self.window = model, loader, window
        self.optimizer = torch.optim.Adam(model.parameters())
        if begin > 0:
            model.load_state_dict(torch.load(f"{begin}.pt"))
            self.seen = begin
        else:
            self.seen = 0

    def train(self):
        while self.seen < 1000:
            for batch in self.loader:
                (self.model(batch).mean() / self.window).backward()
                if self.seen % self.window == 0:  # <- accumulation-off-by-one
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                self.seen += 1


def main(model, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--begin", type=int, default=0)
    args = parser.parse_args()
    Trainer(model, loader, args.begin).train()


# === right: a counter that goes on from an option, and is raised before it is asked
import argparse

import torch


class Trainer:
    def __init__(self, model, loader, begin, window=4):
        self.model, self.loader, self.window = model, loader, window
        self.optimizer = torch.optim.Adam(model.parameters())
        self.seen = begin if begin > 0 else 0

    def train(self):
        while self.seen < 1000:
            for batch in self.loader:
                (self.model(batch).mean() / self.window).backward()
                self.seen += 1
                if self.seen % self.window == 0:
                    self.optimizer.step()
                    self.optimizer.zero_grad()


def main(model, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--begin", type=int, default=0)
    args = parser.parse_args()
    Trainer(model, loader, args.begin).train()


# === right: a counter that begins at an option which is 1 where nobody resumes
import argparse

import torch


def main(model, loader, window=4):
    parser = argparse.ArgumentParser()
    parser.add_argument("--begin", type=int, default=1)
    args = parser.parse_args()
    optimizer = torch.optim.Adam(model.parameters())
    seen = args.begin
    while seen < 1000:
        for batch in loader:
            (model(batch).mean() / window).backward()
            if seen % window == 0:
                optimizer.step()
                optimizer.zero_grad()
            seen += 1

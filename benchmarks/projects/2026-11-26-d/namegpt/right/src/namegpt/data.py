import torch

NAMES = "emma olivia ava isabella sophia mia amelia harper evelyn luna liam noah oliver james elijah mateo theo".split()


def encode(word):
    return [ord(c) - 96 for c in word]


class NameStream:
    def __init__(self, block, batch, seed):
        text = [0]
        for name in NAMES * 4:
            text += encode(name) + [0]
        self.text = torch.tensor(text)
        self.block, self.batch = block, batch
        self.gen = torch.Generator().manual_seed(seed)

    def next(self):
        at = torch.randint(len(self.text) - self.block - 1, (self.batch,), generator=self.gen)
        x = torch.stack([self.text[i : i + self.block] for i in at])
        y = torch.stack([self.text[i + 1 : i + self.block + 1] for i in at])
        return x, y

import numpy as np
import torch
from torch.utils.data import Dataset

from config import CFG


def load_essays(n=174):
    rng = np.random.default_rng(CFG.seed)
    tokens = rng.integers(1, CFG.vocab, size=(n, CFG.max_len))
    scores = np.stack([(tokens < 40).mean(1), (tokens > 80).mean(1)], 1).astype(np.float32) * 5
    folds = np.arange(n) % CFG.n_fold
    return tokens, scores, folds


class EssayDataset(Dataset):
    def __init__(self, tokens, scores):
        self.tokens, self.scores = tokens, scores

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return torch.as_tensor(self.tokens[i]), torch.as_tensor(self.scores[i])

from torch import nn
from torch.nn import functional as F


class CharLM(nn.Module):
    def __init__(self, vocab, width=40):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids, targets):
        h, _ = self.rnn(self.emb(ids))
        return F.cross_entropy(self.head(h).flatten(0, 1), targets.flatten())


def trainable(model):
    return [p for p in model.parameters() if p.requires_grad]

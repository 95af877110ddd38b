import torch
from torch import nn

from simclr.finetune import finetune
from simclr.pretrain import pretrain
from simclr.probe import probe
from simclr.views import clusters


def main():
    torch.manual_seed(8)
    centers = torch.randn(6, 16)
    batches = [clusters(32, centers) for _ in range(18)]
    encoder = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 32))
    pretrain(encoder, batches, rounds=4, per_update=4)
    head = probe(encoder, batches, 32, len(centers))
    finetune(encoder, head, batches, rounds=3, per_update=4)


if __name__ == "__main__":
    main()

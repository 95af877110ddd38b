from functools import partial

import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data import DataLoader, TensorDataset

from lab.callbacks import Evaluation, GradientClip, ScheduleCallback
from lab.trainer import Trainer

EPOCHS, WINDOW, BATCH = 2, 4, 8


def series(n, seed):
    g = torch.Generator().manual_seed(seed)
    phase = torch.rand(n, 1, generator=g) * 6.28
    x = torch.sin(phase + torch.arange(16) * 0.4)
    return TensorDataset(x, torch.sin(phase + 16 * 0.4))


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))
    train = DataLoader(series(96, 0), BATCH, shuffle=True)
    updates = EPOCHS * len(train) // WINDOW
    callbacks = [
        GradientClip(0.5),
        ScheduleCallback(partial(LinearLR, start_factor=1.0, end_factor=0.1, total_iters=updates)),
        Evaluation(DataLoader(series(32, 1), BATCH)),
    ]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    Trainer(model, optimizer, nn.MSELoss(), callbacks, window=WINDOW).fit(train, EPOCHS)


if __name__ == "__main__":
    main()

from torch import nn


def forecaster(past: int = 48, hidden: int = 32) -> nn.Module:
    return nn.Sequential(
        nn.Linear(past, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, 1)
    )

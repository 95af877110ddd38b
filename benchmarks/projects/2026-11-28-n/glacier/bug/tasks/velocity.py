import torch
from torch import nn

from core.trainer import Trainer


class VelocityTrainer(Trainer):
    def __init__(self, batches, held_out, options):
        self.batches, self.held_out = batches, held_out
        self.micro_batches = options["micro_batches"]
        width = options["width"]
        self.model = nn.Sequential(
            nn.Linear(7, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.2), nn.Linear(width, 1)
        )
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=options["rate"])

    def training_loss(self, batch):
        slope, velocity = batch
        error = nn.functional.mse_loss(self.model(slope), velocity)
        return error

import torch

__all__ = ["COCOONS", "GRADES", "TRAYS", "EPOCHS", "is_full", "seed_all"]

COCOONS = 88
GRADES = 5
TRAYS = 4  # trays that make one update
EPOCHS = 3


def seed_all(number):
    torch.manual_seed(number)


def is_full(tray, trays_in_all):
    return (tray + 1) % TRAYS == 0 or tray + 1 == trays_in_all

from constants import *


def full(visit):
    """Whether the comb is full after the visit of that number (counted from 0)."""
    return (visit + 1) % WINDOW == 0


def share(loss):
    return loss / WINDOW


def store(optimizer):
    optimizer.step()
    optimizer.zero_grad()


def note(diary, loss):
    """The diary is read when the summer is over."""
    diary.append(loss.data)

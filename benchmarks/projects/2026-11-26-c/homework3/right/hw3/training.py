import abc
from typing import List, NamedTuple

import torch
from torch.utils.data import DataLoader


class BatchResult(NamedTuple):
    loss: float
    num_correct: int


class EpochResult(NamedTuple):
    losses: List[float]
    accuracy: float


class FitResult(NamedTuple):
    train: List[EpochResult]
    test: List[EpochResult]


class Trainer(abc.ABC):
    """
    A class abstracting the various tasks of training models.

    Provides methods at multiple levels of granularity: fit, train_epoch,
    test_epoch; the batch level is implemented by subclasses.
    """

    def __init__(self, model, loss_fn, optimizer, device="cpu"):
        self.model = model.to(device)
        self.loss_fn = loss_fn
        self.optimizer = optimizer
        self.device = device

    def fit(self, dl_train: DataLoader, dl_test: DataLoader, num_epochs: int, verbose=True) -> FitResult:
        train, test = [], []
        for epoch in range(num_epochs):
            train.append(self.train_epoch(dl_train))
            test.append(self.test_epoch(dl_test))
            if verbose:
                mean = sum(train[-1].losses) / len(train[-1].losses)
                print(f"--- EPOCH {epoch + 1}/{num_epochs}: loss {mean:.4f} "
                      f"train {train[-1].accuracy:.1f}% test {test[-1].accuracy:.1f}%")
        return FitResult(train, test)

    def train_epoch(self, dl_train: DataLoader) -> EpochResult:
        self.model.train(True)
        return self._foreach_batch(dl_train, self.train_batch)

    def test_epoch(self, dl_test: DataLoader) -> EpochResult:
        self.model.eval()
        with torch.no_grad():
            return self._foreach_batch(dl_test, self.test_batch)

    @abc.abstractmethod
    def train_batch(self, batch) -> BatchResult:
        raise NotImplementedError()

    @abc.abstractmethod
    def test_batch(self, batch) -> BatchResult:
        raise NotImplementedError()

    @staticmethod
    def _foreach_batch(dl: DataLoader, forward_fn) -> EpochResult:
        losses, num_correct, num_samples = [], 0, 0
        for batch in dl:
            res = forward_fn(batch)
            losses.append(res.loss)
            num_correct += res.num_correct
            num_samples += len(batch[1])
        return EpochResult(losses=losses, accuracy=100.0 * num_correct / num_samples)

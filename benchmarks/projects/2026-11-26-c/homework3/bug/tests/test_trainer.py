import unittest

import torch

from hw3.classifier import ClassifierTrainer
from hw3.datasets import train_test_loaders
from hw3.models import MLP


class TestTrainer(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.loaders = train_test_loaders(100, 10)
        model = MLP(2, (16,), 2)
        self.trainer = ClassifierTrainer(
            model, torch.nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters(), lr=0.02))

    def test_number_of_results(self):
        res = self.trainer.fit(*self.loaders, num_epochs=2, verbose=False)
        self.assertEqual(len(res.train), 2)
        self.assertEqual(len(res.test), 2)

    def test_loss_goes_down(self):
        res = self.trainer.fit(*self.loaders, num_epochs=6, verbose=False)
        first, last = res.train[0].losses, res.train[-1].losses
        self.assertLess(sum(last), sum(first))


if __name__ == "__main__":
    unittest.main()

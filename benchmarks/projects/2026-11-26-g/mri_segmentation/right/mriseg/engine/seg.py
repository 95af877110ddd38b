from torch.nn.functional import binary_cross_entropy_with_logits as bce

from .base import Engine
from .scoring import DiceMixin


class SliceEngine(DiceMixin, Engine):
    def before_epoch(self, number):
        super().before_epoch(number)
        self.number = number

    def loss(self, batch):
        image, mask = batch
        return bce(self.net(image), mask)

    def run_epoch(self, batches):
        seen = 0.0
        for count, batch in enumerate(batches, start=1):
            seen += self.micro(batch)
            if count % self.window == 0 or count == len(batches):
                self.flush()
        return seen / len(batches)

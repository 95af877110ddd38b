import torch
import torch.nn.functional as F

from registry import OBJECTIVES


@OBJECTIVES.add("vanilla")
class Vanilla:
    def critic(self, real, fake):
        return F.binary_cross_entropy_with_logits(real, torch.ones_like(real)) + F.binary_cross_entropy_with_logits(
            fake, torch.zeros_like(fake)
        )

    def generator(self, fake):
        return F.binary_cross_entropy_with_logits(fake, torch.ones_like(fake))


@OBJECTIVES.add("hinge")
class Hinge:
    def critic(self, real, fake):
        return F.relu(1 - real).mean() + F.relu(1 + fake).mean()

    def generator(self, fake):
        return -fake.mean()

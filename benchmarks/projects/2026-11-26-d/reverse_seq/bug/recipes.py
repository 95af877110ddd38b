from torch.nn.functional import cross_entropy

from trainers import GradLimit, LossScaling, TrainerBase


class ReverseTrainer(GradLimit, LossScaling, TrainerBase):
    def loss(self, src, tgt):
        return cross_entropy(self.model(src, tgt).transpose(1, 2), tgt)

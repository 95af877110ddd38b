from dataclasses import dataclass

import torch.nn.functional as F


@dataclass
class SoftTargets:
    temperature: float = 2.0
    alpha: float = 0.7

    def __call__(self, student, teacher, y):
        t = self.temperature
        soft = F.kl_div(
            F.log_softmax(student.float() / t, -1), F.softmax(teacher.float() / t, -1), reduction="batchmean"
        )
        return self.alpha * t * t * soft + (1 - self.alpha) * F.cross_entropy(student.float(), y)

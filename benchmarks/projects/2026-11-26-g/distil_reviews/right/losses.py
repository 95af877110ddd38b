from torch.nn import functional as F


class DistillationLoss:
    def __init__(self, settings):
        self.temperature = settings["temperature"]
        self.alpha = settings["alpha"]

    def __call__(self, student, teacher, labels):
        t = self.temperature
        soft = F.kl_div(F.log_softmax(student / t, 1), F.softmax(teacher / t, 1), reduction="batchmean") * t * t
        hard = F.cross_entropy(student, labels)
        mixed = self.alpha * soft + (1 - self.alpha) * hard
        return mixed

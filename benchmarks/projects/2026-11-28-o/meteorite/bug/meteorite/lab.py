import torch

from meteorite.losses import age_term, kind_term


class Lab:
    def __init__(self, parts):
        self.parts = parts
        self.net, self.optimizer, self.scaler = parts.net, parts.optimizer, parts.scaler

    def rate(self):
        return self.optimizer.param_groups[0]["lr"]

    def epoch(self, batches):
        self.net.train()
        total = 0.0
        for spectrum, kind, age in batches:
            self.optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                kinds, ages = self.net(spectrum)
            total += kind_term(self.scaler, kinds, kind, keep=True)
            total += age_term(self.scaler, ages, age, weight=0.5)
            self.scaler.step(self.optimizer)
            self.scaler.update()
        self.parts.decay.step
        return total / len(batches)

from torch.nn import functional as F


class Night:
    def __init__(self, lens, exposure, dimmer):
        self.lens, self.exposure, self.dimmer = lens, exposure, dimmer
        self.haze = 0.0

    def rate(self):
        return self.exposure.optimizer.param_groups[0]["lr"]

    def watch(self, stars):
        self.haze = 0.0
        for place, light in stars:
            loss = F.mse_loss(self.lens(place), light)
            loss.backward()
            self.exposure.shut()
            self.haze += loss.item() / len(stars)
        self.dimmer.step()

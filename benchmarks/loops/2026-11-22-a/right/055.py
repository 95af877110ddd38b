import torch
from torch import nn

from style.images import load, save
from style.vgg import VGGFeatures


def gram(x):
    b, c, h, w = x.shape
    flat = x.view(b * c, h * w)
    return flat @ flat.t() / (b * c * h * w)


class StyleTransfer:
    def __init__(self, content, style, style_weight=1e6, content_weight=1.0):
        self.vgg = VGGFeatures().cuda().eval().requires_grad_(False)
        with torch.no_grad():
            self.content = self.vgg(content)["conv4_2"]
            self.style = {name: gram(f) for name, f in self.vgg(style).items() if name != "conv4_2"}
        self.style_weight, self.content_weight = style_weight, content_weight
        self.image = nn.Parameter(content.clone())
        self.optimizer = torch.optim.LBFGS([self.image], max_iter=20, history_size=50)
        self.evaluations = 0

    def loss(self):
        features = self.vgg(self.image)
        content = nn.functional.mse_loss(features["conv4_2"], self.content)
        style = sum(nn.functional.mse_loss(gram(features[n]), g) for n, g in self.style.items())
        return self.content_weight * content + self.style_weight * style

    def closure(self):
        self.optimizer.zero_grad()
        loss = self.loss()
        loss.backward()
        self.evaluations += 1
        if self.evaluations % 50 == 0:
            print(self.evaluations, loss.item())
        return loss

    def run(self, iterations=25):
        for _ in range(iterations):
            self.optimizer.step(self.closure)
            with torch.no_grad():
                self.image.clamp_(0, 1)
        return self.image.detach()


if __name__ == "__main__":
    transfer = StyleTransfer(load("city.jpg").cuda(), load("starry.jpg").cuda())
    save(transfer.run(), "out.png")

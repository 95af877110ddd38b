import torch
from torch import nn


class StyleTransfer:
    """Optimises an image so that its features match content and style."""

    def __init__(self, vgg: nn.Module, content: torch.Tensor, style: torch.Tensor, style_weight=1e6, tv=1e-4):
        self.vgg = vgg.eval().requires_grad_(False)
        self.style_weight, self.tv = style_weight, tv
        with torch.no_grad():
            self.content_target = self.vgg(content)["content"]
            self.style_targets = [self.gram(f) for f in self.vgg(style)["style"]]
        self.image = nn.Parameter(content.clone())
        self.optimizer = torch.optim.LBFGS([self.image], lr=1.0, max_iter=20, history_size=50)

    @staticmethod
    def gram(f):
        b, c, h, w = f.shape
        f = f.reshape(b, c, h * w)
        return f @ f.transpose(1, 2) / (c * h * w)

    def total_variation(self):
        dx = (self.image[..., 1:] - self.image[..., :-1]).abs().mean()
        dy = (self.image[..., 1:, :] - self.image[..., :-1, :]).abs().mean()
        return dx + dy

    def loss(self):
        features = self.vgg(self.image)
        content = nn.functional.mse_loss(features["content"], self.content_target)
        style = sum(
            nn.functional.mse_loss(self.gram(f), t) for f, t in zip(features["style"], self.style_targets)
        )
        return content + self.style_weight * style + self.tv * self.total_variation()

    def run(self, steps: int = 15):
        calls = 0

        def closure():
            nonlocal calls
            self.optimizer.zero_grad()
            loss = self.loss()
            loss.backward()
            nn.utils.clip_grad_value_([self.image], 1e3)
            calls += 1
            if calls % 50 == 0:
                print(f"evaluation {calls}: {loss.item():.4f}")
            return loss

        for _ in range(steps):
            self.optimizer.step(closure)
            with torch.no_grad():
                self.image.clamp_(0, 1)
        return self.image.detach()

import torch
import torch.nn.functional as F


class InpaintingTrainer:
    def __init__(self, model, cfg, feed):
        self.model = model.to(cfg.device)
        self.cfg = cfg
        self.feed = feed
        self.window = cfg.train.accumulate
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.train.lr)

    def batches(self):
        while True:
            yield from self.feed

    def loss(self, image, hole):
        filled = self.model(image * (1 - hole), hole)
        outside = F.l1_loss(filled * (1 - hole), image * (1 - hole))
        inside = F.l1_loss(filled * hole, image * hole)
        return (outside + 6.0 * inside) / self.window

    def train(self):
        self.model.train()
        self.optimizer.zero_grad()
        done = 0
        for n, (image, hole) in enumerate(self.batches()):
            loss = self.loss(image.to(self.cfg.device), hole.to(self.cfg.device))
            loss.backward()
            if (n + 1) % self.window == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
                done += 1
                if done % 100 == 0:
                    print(done, loss.item() * self.window)
                if done == self.cfg.train.updates:
                    break
        torch.save(self.model.state_dict(), self.cfg.train.output)

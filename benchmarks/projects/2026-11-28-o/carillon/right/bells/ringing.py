import torch

from bells.tones import tone_error


class Ringer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.monitors = []

    def ring(self, loader, epochs):
        for epoch in range(epochs):
            loader.batch_sampler.sampler.set_epoch(epoch)
            self.model.train()
            for strike, partials in loader:
                self.optimizer.zero_grad()
                loss = tone_error(self.model, strike, partials)
                loss.backward()
                self.optimizer.step()
            for monitor in self.monitors:
                monitor.after_epoch(self.model, epoch)

import torch


def forget_gradients(*modules):
    for module in modules:
        for p in module.parameters():
            p.grad = None


class Refiner:
    def __init__(self, encoder, decoder, config, loader):
        self.encoder, self.decoder = encoder, decoder
        self.config, self.loader = config, loader
        parameters = [*encoder.parameters(), *decoder.parameters()]
        self.optimizer = torch.optim.AdamW(parameters, lr=config["lr"])

    def micro_batches(self):
        it = iter(self.loader)
        while True:
            item = next(it, None)
            if item is None:
                it = iter(self.loader)
                continue
            yield item

    def train(self):
        self.encoder.train()
        self.decoder.train()
        n = self.config["micro_batches"]
        position = 0
        for noisy, clean in self.micro_batches():
            restored = self.decoder(self.encoder(noisy))
            loss = torch.nn.functional.mse_loss(restored, clean) * (1.0 / n)
            loss.backward()
            position += 1
            if position == n:
                self.optimizer.step()
                forget_gradients(self.encoder, self.decoder)
                position = 0
                self.config["updates"] -= 1
                if self.config["updates"] == 0:
                    break

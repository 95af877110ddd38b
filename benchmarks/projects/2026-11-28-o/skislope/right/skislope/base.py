import torch


class BaseTrainer:
    """Owns the optimizer, the scaler and the order of things; subclasses fill in the rest."""

    def __init__(self, net, lr, max_norm):
        self.net = net
        self.max_norm = max_norm
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.net.to(self.device)
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
        self.scaler = torch.amp.GradScaler(self.device, init_scale=2.0**10)
        self.net.train()

    def compute_loss(self, x, y):
        raise NotImplementedError

    def before_update(self):
        self.scaler.unscale_(self.optimizer)

    def validate(self, batches):
        raise NotImplementedError

    def train_batch(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device, dtype=torch.float16):
            loss = self.compute_loss(x, y)
        self.scaler.scale(loss).backward()
        self.before_update()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()

    def fit(self, batches, held_out, epochs):
        for epoch in range(epochs):
            self.net.train()
            total = torch.zeros((), device=self.device)
            for x, y in batches:
                total += self.train_batch(x.to(self.device), y.to(self.device))
            score = self.validate(held_out)
            print(f"{epoch}: loss {total.item() / len(batches):.3f} accuracy {score:.3f}")

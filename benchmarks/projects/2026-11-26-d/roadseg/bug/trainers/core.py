class CoreTrainer:
    def __init__(self, net, opt, train_loader, val_loader, window=1):
        self.net, self.opt = net, opt
        self.train_loader, self.val_loader = train_loader, val_loader
        self.window = window
        self.seen = 0

    # points for subclasses
    def begin_epoch(self, epoch):
        self.net.train()
        self.opt.zero_grad()

    def begin_batch(self, batch):
        self.seen += len(batch["image"])

    def compute_loss(self, batch):
        raise NotImplementedError

    def score(self):
        raise NotImplementedError

    def validate(self):
        self.net.eval()
        return self.score()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.begin_epoch(epoch)
            size = len(self.train_loader)
            for i, batch in enumerate(self.train_loader):
                self.begin_batch(batch)
                loss = self.compute_loss(batch) / self.window
                loss.backward()
                if (i + 1) % self.window == 0 or i + 1 == size:
                    self.opt.step()
                    self.opt.zero_grad()
            print(f"epoch {epoch}: seen {self.seen}, iou {self.validate():.3f}")

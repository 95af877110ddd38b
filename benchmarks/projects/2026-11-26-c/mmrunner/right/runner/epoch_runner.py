class EpochBasedRunner:
    """Runs the epochs, everything else is done by hooks."""

    def __init__(self, model, optimizer, max_epochs):
        self.model = model
        self.optimizer = optimizer
        self.max_epochs = max_epochs
        self.epoch = 0
        self.iter = 0
        self.inner_iter = 0
        self.hooks = []
        self.outputs = {}
        self.log_buffer = {}

    def register_hook(self, hook):
        self.hooks.append(hook)

    def call_hook(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def train(self, data_loader):
        self.model.train()
        self.data_loader = data_loader
        self.call_hook("before_train_epoch")
        for i, (x, y) in enumerate(data_loader):
            self.inner_iter = i
            self.call_hook("before_train_iter")
            self.outputs = self.model.train_step(x, y)
            self.call_hook("after_train_iter")
            self.iter += 1
        self.call_hook("after_train_epoch")
        self.epoch += 1

    def run(self, data_loader):
        self.call_hook("before_run")
        while self.epoch < self.max_epochs:
            self.train(data_loader)
            msg = " ".join(f"{k}={v:.4f}" for k, v in self.log_buffer.items())
            print(f"Epoch [{self.epoch}/{self.max_epochs}] {msg}")
        self.call_hook("after_run")

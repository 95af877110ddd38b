import weakref


class HookBase:
    trainer = None

    def before_train(self):
        pass

    def after_train(self):
        pass

    def before_step(self):
        pass

    def after_backward(self):
        pass

    def after_step(self):
        pass


class TrainerBase:
    def __init__(self):
        self._hooks = []
        self.iter = 0
        self.max_iter = 0
        self.storage = {}

    def register_hooks(self, hooks):
        for h in hooks:
            if h is None:
                continue
            h.trainer = weakref.proxy(self)
            self._hooks.append(h)

    def _call(self, name):
        for h in self._hooks:
            getattr(h, name)()

    def train(self):
        self._call("before_train")
        for self.iter in range(self.max_iter):
            self._call("before_step")
            self.run_step()
            self._call("after_step")
        self._call("after_train")

    def run_step(self):
        raise NotImplementedError


class SimpleTrainer(TrainerBase):
    def __init__(self, model, data_loader, optimizer):
        super().__init__()
        model.train()
        self.model = model
        self.data_loader = data_loader
        self._data_loader_iter = None
        self.optimizer = optimizer

    def _next_batch(self):
        if self._data_loader_iter is None:
            self._data_loader_iter = iter(self.data_loader)
        try:
            return next(self._data_loader_iter)
        except StopIteration:
            self._data_loader_iter = iter(self.data_loader)
            return next(self._data_loader_iter)

    def run_step(self):
        assert self.model.training, "[SimpleTrainer] model was changed to eval mode!"
        loss_dict = self.model(self._next_batch())
        losses = sum(loss_dict.values())

        self.optimizer.zero_grad()
        losses.backward()
        self._call("after_backward")
        self.storage.update({k: v.item() for k, v in loss_dict.items()})
        self.optimizer.step()

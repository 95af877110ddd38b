import torch


class CancelStepException(Exception):
    pass


class Learner:
    def __init__(self, dls, model, loss_func, lr=1e-3, cbs=(), opt_func=torch.optim.Adam):
        self.dls, self.model, self.loss_func = dls, model, loss_func
        self.lr, self.opt_func = lr, opt_func
        self.cbs = []
        for cb in cbs:
            self.add_cb(cb)

    def add_cb(self, cb):
        cb.learn = self
        self.cbs.append(cb)
        return self

    def __call__(self, event_name):
        for cb in sorted(self.cbs, key=lambda c: c.order):
            getattr(cb, event_name)()

    def _step(self):
        try:
            self("before_step")
            self.opt.step()
            self("after_step")
        except CancelStepException:
            pass

    def _one_batch(self):
        self("before_batch")
        self.pred = self.model(self.xb)
        self.loss = self.loss_func(self.pred, self.yb)
        self("after_loss")
        if self.training:
            self.loss.backward()
            self._step()
            self.opt.zero_grad()
        self("after_batch")

    def all_batches(self, dl):
        self.n_iter = len(dl)
        for self.iter, (self.xb, self.yb) in enumerate(dl):
            self._one_batch()

    def _do_epoch_train(self):
        self.training = True
        self.model.train()
        self("before_train")
        self.all_batches(self.dls.train)
        self("after_train")

    def _do_epoch_validate(self):
        self.training = False
        self.model.eval()
        self("before_validate")
        with torch.no_grad():
            self.all_batches(self.dls.valid)
        self("after_validate")

    def fit(self, n_epoch):
        self.n_epoch = n_epoch
        self.opt = self.opt_func(self.model.parameters(), lr=self.lr)
        self.opt.zero_grad()
        self("before_fit")
        for self.epoch in range(n_epoch):
            self("before_epoch")
            self._do_epoch_train()
            self._do_epoch_validate()
            self("after_epoch")
        self("after_fit")

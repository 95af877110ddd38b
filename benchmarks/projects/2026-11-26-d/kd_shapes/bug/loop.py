import torch
import torch.nn.functional as F


def kd_loss(s, t, y, temp=3.0, mix=0.7):
    soft = F.kl_div(F.log_softmax(s / temp, 1), F.softmax(t / temp, 1), reduction="batchmean") * temp**2
    return mix * soft + (1 - mix) * F.cross_entropy(s, y)


class Distiller:
    def __init__(self, student, teacher, opt, callbacks):
        self.student, self.teacher, self.opt = student, teacher, opt
        self.callbacks = callbacks
        self.log = {}

    def fire(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def run(self, batches, epochs):
        for self.epoch in range(epochs):
            self.fire("on_epoch_begin")
            self.student.train()
            for self.batch, (x, y) in enumerate(batches):
                with torch.no_grad():
                    target = self.teacher(x)
                loss = kd_loss(self.student(x), target, y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.log["loss"] = loss.item()
                self.fire("on_batch_end", x)
            self.fire("on_epoch_end")

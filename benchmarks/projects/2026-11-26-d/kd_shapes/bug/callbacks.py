from probes import agreement


class Callback:
    def on_epoch_begin(self, run): ...

    def on_batch_end(self, run, x): ...

    def on_epoch_end(self, run): ...


class Scheduling(Callback):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def on_epoch_begin(self, run):
        self.scheduler.step()
        print(f"epoch {run.epoch} at lr {self.scheduler.get_last_lr()[0]:.2e}")


class Agreement(Callback):
    def __init__(self, every):
        self.every = every

    def on_batch_end(self, run, x):
        if run.batch % self.every == 0:
            run.log["agree"] = agreement(run.student, run.teacher, x)

    def on_epoch_end(self, run):
        print("   ", {k: round(v, 3) for k, v in run.log.items()})

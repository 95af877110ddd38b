class Hook:
    stages = (
        "before_run",
        "before_train_epoch",
        "before_train_iter",
        "after_backward",
        "before_update",
        "after_update",
        "after_train_iter",
        "after_train_epoch",
        "after_run",
    )

    def before_run(self, runner):
        pass

    def before_train_epoch(self, runner):
        pass

    def before_train_iter(self, runner):
        pass

    def after_backward(self, runner):
        pass

    def before_update(self, runner):
        pass

    def after_update(self, runner):
        pass

    def after_train_iter(self, runner):
        pass

    def after_train_epoch(self, runner):
        pass

    def after_run(self, runner):
        pass

    def end_of_window(self, runner, n):
        i = runner.inner_iter + 1
        return i % n == 0 or i == len(runner.data_loader)

class Callback:
    """Everything a callback may answer to, in the order of the loop."""

    def on_fit_start(self, trainer):
        pass

    def on_backward_end(self, trainer):
        pass

    def on_step_start(self, trainer):
        pass

    def on_step_end(self, trainer):
        pass

    def on_batch_end(self, trainer):
        pass

    def on_epoch_end(self, trainer):
        pass

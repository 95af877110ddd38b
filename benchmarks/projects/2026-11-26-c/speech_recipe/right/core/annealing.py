class NewBobScheduler:
    """Shrinks the rate when the validation loss no longer gets better."""

    def __init__(self, initial_value, annealing_factor=0.5, improvement_threshold=0.01):
        self.value = initial_value
        self.annealing_factor = annealing_factor
        self.improvement_threshold = improvement_threshold
        self.metric_values = []

    def __call__(self, metric_value):
        old = self.value
        if self.metric_values:
            prev = self.metric_values[-1]
            if (prev - metric_value) / max(prev, 1e-8) < self.improvement_threshold:
                self.value = old * self.annealing_factor
        self.metric_values.append(metric_value)
        return old, self.value


def update_learning_rate(optimizer, new_lr):
    for group in optimizer.param_groups:
        group["lr"] = new_lr

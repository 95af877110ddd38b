class Window:
    """Runs one pass over a loader and closes a window every `size` batches."""

    def __init__(self, size):
        self.size = size

    def run(self, loader, micro_step, close):
        results = []
        last = len(loader)
        for n, batch in enumerate(loader, start=1):
            results.append(micro_step(batch))
            if n % self.size == 0 or n == last:
                close()
        return results

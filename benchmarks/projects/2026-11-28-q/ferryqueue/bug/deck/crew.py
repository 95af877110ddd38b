from torch.nn.utils import clip_grad_norm_


class Hand:
    def obey(self, order, voyage, *args):
        work = getattr(self, order, None)
        if work is not None:
            work(voyage, *args)


class Purser(Hand):
    """Keeps the books, and clears the deck before each crossing."""

    def cast_off(self, voyage):
        voyage.optimizer.zero_grad()

    def after_step(self, voyage, loss):
        voyage.log.setdefault("loss", []).append(loss)


class Bosun(Hand):
    def __init__(self, limit):
        self.limit = limit

    def after_step(self, voyage, loss):
        voyage.log["norm"] = clip_grad_norm_(voyage.net.parameters(), self.limit).item()


class Lookout(Hand):
    def __init__(self, held):
        self.held = held

    def moor(self, voyage, day):
        voyage.net.eval()
        right = total = 0
        for cars, lane in self.held:
            logits = voyage.net(cars)
            right += (logits.argmax(1) == lane).sum().item()
            total += len(lane)
        print(f"day {day}: {right}/{total} lanes, norm {voyage.log['norm']:.3f}, loss {voyage.log['loss'][-1]:.3f}")

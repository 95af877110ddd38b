from common import *
from garage import outfit
from roads import Coach, stages


def stretch(bundle, batches):
    """One epoch; the mean of the losses comes back."""
    bundle.model.train()
    mean = 0.0
    bundle.optimizer.zero_grad()
    for i, (road, hours) in enumerate(batches):
        loss = arrival_loss(bundle.model(road), hours)
        (loss / ACCUM).backward()
        if due(i + 1, ACCUM) or i + 1 == len(batches):
            bundle.optimizer.step()
            bundle.optimizer.zero_grad()
        mean = running(mean, loss.detach(), i)
    return mean


def main():
    seed_all(17)
    bundle = outfit(Coach(), rate=0.05, decay=0.9)
    batches = stages(14)
    for epoch in range(EPOCHS):
        mean = stretch(bundle, batches)
        bundle.schedule.step()
        tell(epoch, mean, bundle.schedule.get_last_lr()[0])


if __name__ == "__main__":
    main()

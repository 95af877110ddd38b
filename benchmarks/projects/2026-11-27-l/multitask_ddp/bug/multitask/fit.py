from .link import hush
from .settings import EPOCHS, GRAD_ACCUM
from .tasks import joint_loss


def fit(net, batches, optimizer):
    for epoch in range(EPOCHS):
        batches.sampler.set_epoch(epoch)
        net.train()
        optimizer.zero_grad()
        total = 0.0
        for n, batch in enumerate(batches, 1):
            done = n % GRAD_ACCUM == 0 or n == len(batches)
            loss = joint_loss(net, batch)
            with hush(net, quiet=not done):
                loss.backward()
            total += loss.item()
            if done:
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, round(total, 4))

"""Ways to write a training loop that are too odd for a recipe.

Each is a whole source. `{n}` stands for the window and is tried as a name that nobody binds and as
a number in the source; `model`, `optimizer`, `loader`, ... are parameters, found by their name.
"""

from __future__ import annotations

import re
from textwrap import dedent

from interpret.loops import Loop
from interpret.reality import Entry

_MODELS = {
    "optimizer": ("model",),
    "optim": ("model",),
    "opt": ("model",),
    "opt_g": ("generator",),
    "opt_d": ("discriminator",),
    "optimizer_g": ("generator",),
    "optimizer_d": ("discriminator",),
    "encoder_optimizer": ("encoder",),
    "decoder_optimizer": ("decoder",),
}

_TEXTS = {
    "modulus of a step that is kept across epochs": """
        def train(model, optimizer, loader, epochs, {n}):
            step = 0
            for epoch in range(epochs):
                for batch in loader:
                    (model(batch) / {n}).backward()
                    step += 1
                    if step % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "own loader, numbered from one": """
        class Feed:
            def __init__(self, loader):
                self.loader, self.rounds = loader, 0

            def __len__(self):
                return len(self.loader)

            def __iter__(self):
                self.rounds += 1
                for one in self.loader:
                    yield one

        def train(model, optimizer, loader, epochs, {n}):
            feed = Feed(loader)
            for epoch in range(epochs):
                for i, batch in enumerate(feed, 1):
                    (model(batch) / {n}).backward()
                    if i % {n} == 0 or i == len(feed):
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "own loader around another one": """
        class Feed:
            def __init__(self, loader):
                self.loader, self.rounds = loader, 0

            def __len__(self):
                return len(self.loader)

            def __iter__(self):
                self.rounds += 1
                for one in self.loader:
                    yield one

        class Ahead:
            def __init__(self, feed):
                self.feed, self.seen = feed, 0

            def __len__(self):
                return len(self.feed)

            def __iter__(self):
                for one in self.feed:
                    self.seen += 1
                    yield one

        def train(model, optimizer, loader, epochs, {n}):
            feed = Ahead(Feed(loader))
            for epoch in range(epochs):
                for i, batch in enumerate(feed, 1):
                    (model(batch) / {n}).backward()
                    if i % {n} == 0 or i == len(feed):
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "counting down": """
        def train(model, optimizer, loader, {n}):
            for epoch in range(2):
                left = {n}
                for batch in loader:
                    (model(batch) / {n}).backward()
                    left -= 1
                    if left == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                        left = {n}
    """,
    "range over the length with next": """
        def train(model, optimizer, loader, {n}):
            for epoch in range(2):
                data = iter(loader)
                for i in range(len(loader)):
                    loss = model(next(data)) / {n}
                    loss.backward()
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "range from one": """
        def train(model, optimizer, loader, {n}):
            data = iter(loader)
            for i in range(1, len(loader) + 1):
                (model(next(data)) / {n}).backward()
                if i % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "window by strides": """
        def train(model, optimizer, loader, {n}):
            data = iter(loader)
            for start in range(0, len(loader) - {n} + 1, {n}):
                for micro in range({n}):
                    (model(next(data)) / {n}).backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "while true with break": """
        def train(model, optimizer, loader, {n}):
            for epoch in range(2):
                i = 0
                data = iter(loader)
                while True:
                    if i == len(loader):
                        break
                    (model(next(data)) / {n}).backward()
                    i += 1
                    if i % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "break after the first window": """
        def train(model, optimizer, loader, {n}):
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    (model(batch) / {n}).backward()
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                        break
    """,
    "for else flushes": """
        def train(model, optimizer, loader, {n}):
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    (model(batch) / {n}).backward()
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                else:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "for else is left out by a break": """
        def train(model, optimizer, loader):
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    model(batch).backward()
                    optimizer.step()
                    if i == 2:
                        break
                else:
                    optimizer.zero_grad()
    """,
    "continue skips the zero of the first batches": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                if i % {n} == 0:
                    optimizer.zero_grad()
                (model(batch) / {n}).backward()
                if (i + 1) % {n} != 0:
                    continue
                optimizer.step()
    """,
    "truthiness of the modulus": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if (i + 1) % {n}:
                    continue
                optimizer.step()
                optimizer.zero_grad()
    """,
    "unrolled elif": """
        def train(model, optimizer, loader, log, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if i == 0:
                    log("first")
                elif (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
                elif i + 1 == len(loader):
                    optimizer.step()
    """,
    "two guards in a row": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if i > 0:
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                if (i + 1) % {n} == 0:
                    optimizer.zero_grad()
    """,
    "and of two conditions": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if i and (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "chained comparison": """
        def train(model, optimizer, loader):
            for i, batch in enumerate(loader):
                model(batch).backward()
                if 1 <= i < 4:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "losses collected and divided": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                losses = []
                for k in range(2):
                    losses.append(model(batch) / 2)
                loss = sum(losses) / {n}
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "sum of two terms divided": """
        def train(model, criterion, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                output = model(batch)
                loss = criterion(output, batch) + criterion(output, batch)
                loss = loss / {n}
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "two backwards a batch": """
        def train(model, criterion, optimizer, loader):
            for batch in loader:
                optimizer.zero_grad()
                first = criterion(model(batch), batch) / 2
                first.backward()
                second = criterion(model(batch), batch) / 2
                second.backward()
                optimizer.step()
    """,
    "loss divided before and multiplied after": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                loss = model(batch) / {n}
                loss = loss * {n}
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divided in place": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                loss = model(batch)
                loss /= {n}
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divided in place under another name": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                loss = model(batch)
                total = loss
                loss.div_({n})
                total.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divided in place by a helper": """
        def normalise(loss, by):
            loss /= by

        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                loss = model(batch)
                normalise(loss, {n})
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divided in place when the sum is made already": """
        def train(model, criterion, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                first = criterion(model(batch), batch)
                second = criterion(model(batch), batch)
                loss = first + second
                first /= {n}
                second.mul_(3)
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "losses of a list divided in place": """
        def train(model, criterion, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                losses = [criterion(model(batch), batch), criterion(model(batch), batch)]
                losses[0] /= {n}
                losses[1].div_({n})
                (losses[0] + losses[1]).backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "gradients divided by hand": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                model(batch).backward()
                if (i + 1) % {n} == 0:
                    for p in model.parameters():
                        if p.grad is not None:
                            p.grad /= {n}
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "gradients multiplied by hand at each micro-batch": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                model(batch).backward()
                for p in model.parameters():
                    p.grad.mul_(1 / {n})
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "stale gradients divided by hand": """
        def train(model, optimizer, loader):
            for i, batch in enumerate(loader):
                (model(batch) / 2).backward()
                for p in model.parameters():
                    p.grad.div_(3)
                optimizer.step()
    """,
    "divisor held in a variable": """
        def train(model, optimizer, loader, {n}):
            inverse = 1.0 / {n}
            for i, batch in enumerate(loader):
                loss = inverse * model(batch)
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divisor one too many": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                loss = model(batch) / ({n} + 1)
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divisor chosen by a condition": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                loss = model(batch)
                if {n} > 1:
                    loss = loss / {n}
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divisor knows the tail": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                start = i - i % {n}
                size = min({n}, len(loader) - start)
                (model(batch) / size).backward()
                if (i + 1) % {n} == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divided by a default argument": """
        SIZE = 4

        def mean(loss, n=SIZE):
            return loss / n

        def train(model, optimizer, loader):
            for i, batch in enumerate(loader):
                mean(model(batch)).backward()
                if (i + 1) % SIZE == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divided by a keyword argument": """
        def mean(loss, *, n=1, scale=1):
            return loss * scale / n

        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                mean(model(batch), n={n}).backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "helper returns a pair": """
        def forward(model, batch, n):
            output = model(batch)
            return output / n, output

        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                loss, output = forward(model, batch, {n})
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "helper returns early": """
        def due(i, n, last):
            if i + 1 == last:
                return True
            if (i + 1) % n == 0:
                return True
            return False

        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if due(i, {n}, len(loader)):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "helper takes the optimizer under another name": """
        def spend(it):
            it.step()
            it.zero_grad()

        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    spend(optimizer)
    """,
    "nested function closes over everything": """
        def train(model, optimizer, loader, {n}):
            def one(i, batch):
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    one(i, batch)
    """,
    "nonlocal counter": """
        def train(model, optimizer, loader, {n}):
            count = 0
            def one(batch):
                nonlocal count
                count += 1
                (model(batch) / {n}).backward()
                if count % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
            for epoch in range(2):
                for batch in loader:
                    one(batch)
    """,
    "global counter": """
        count = 0

        def one(model, optimizer, batch, n):
            global count
            count += 1
            (model(batch) / n).backward()
            if count % n == 0:
                optimizer.step()
                optimizer.zero_grad()

        def train(model, optimizer, loader, {n}):
            for epoch in range(2):
                for batch in loader:
                    one(model, optimizer, batch, {n})
    """,
    "epoch in a helper": """
        def epoch_of(model, optimizer, loader, n):
            for i, batch in enumerate(loader):
                (model(batch) / n).backward()
                if (i + 1) % n == 0:
                    optimizer.step()
                    optimizer.zero_grad()

        def train(model, optimizer, loader, epochs, {n}):
            for epoch in range(epochs):
                epoch_of(model, optimizer, loader, {n})
    """,
    "gradients cleared in a helper": """
        def fresh(optimizer):
            optimizer.zero_grad()
            return optimizer

        def train(model, optimizer, loader):
            for batch in loader:
                fresh(optimizer)
                model(batch).backward()
                optimizer.step()
    """,
    "partial of a helper": """
        from functools import partial

        def spend(optimizer, clear):
            optimizer.step()
            if clear:
                optimizer.zero_grad()

        def train(model, optimizer, loader, {n}):
            end = partial(spend, optimizer, clear=True)
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    end()
    """,
    "methods held in variables": """
        def train(model, optimizer, loader, {n}):
            step, clear = optimizer.step, optimizer.zero_grad
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    step()
                    clear()
    """,
    "optimizers in a list": """
        def train(encoder, decoder, encoder_optimizer, decoder_optimizer, loader, {n}):
            optimizers = [encoder_optimizer, decoder_optimizer]
            for i, batch in enumerate(loader):
                (decoder(encoder(batch)) / {n}).backward()
                if (i + 1) % {n} == 0:
                    for optimizer in optimizers:
                        optimizer.step()
                    for optimizer in optimizers:
                        optimizer.zero_grad()
    """,
    "optimizers in a dictionary": """
        def train(encoder, decoder, encoder_optimizer, decoder_optimizer, loader, {n}):
            optimizers = {{"enc": encoder_optimizer, "dec": decoder_optimizer}}
            for i, batch in enumerate(loader):
                (decoder(encoder(batch)) / {n}).backward()
                if (i + 1) % {n} == 0:
                    for name, optimizer in optimizers.items():
                        optimizer.step()
                        optimizers[name].zero_grad()
    """,
    "one optimizer is never cleared": """
        def train(encoder, decoder, encoder_optimizer, decoder_optimizer, loader):
            for batch in loader:
                encoder_optimizer.zero_grad()
                decoder(encoder(batch)).backward()
                encoder_optimizer.step()
                decoder_optimizer.step()
    """,
    "made optimizers of two models": """
        import torch

        def train(encoder, decoder, loader, {n}):
            first = torch.optim.SGD(encoder.parameters(), lr=0.1)
            second = torch.optim.SGD(decoder.parameters(), lr=0.1)
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    (decoder(encoder(batch)) / {n}).backward()
                    if (i + 1) % {n} == 0:
                        first.step()
                        first.zero_grad()
                    second.step()
                    second.zero_grad()
    """,
    "made optimizers of two losses": """
        import torch

        def train(encoder, decoder, loader):
            first = torch.optim.SGD(encoder.parameters(), lr=0.1)
            second = torch.optim.SGD(decoder.parameters(), lr=0.1)
            for epoch in range(2):
                for batch in loader:
                    first.zero_grad()
                    encoder(batch).backward()
                    second.zero_grad()
                    (decoder(batch) / 2).backward()
                    second.step()
                    first.step()
    """,
    "one optimizer of two models": """
        import torch

        def train(encoder, decoder, loader, {n}):
            optimizer = torch.optim.SGD(encoder.parameters() + decoder.parameters(), lr=0.1)
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    (decoder(encoder(batch)) / {n}).backward()
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "clip of the other model": """
        import torch

        def train(encoder, decoder, loader):
            first = torch.optim.SGD(encoder.parameters(), lr=0.1)
            second = torch.optim.SGD(decoder.parameters(), lr=0.1)
            for epoch in range(2):
                for batch in loader:
                    first.zero_grad()
                    second.zero_grad()
                    decoder(encoder(batch)).backward()
                    torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
                    first.step()
                    second.step()
    """,
    "two distributed models": """
        import torch
        from torch.nn.parallel import DistributedDataParallel

        def train(encoder, decoder, loader):
            encoder = DistributedDataParallel(encoder)
            first = torch.optim.SGD(encoder.parameters(), lr=0.1)
            second = torch.optim.SGD(decoder.parameters(), lr=0.1)
            decoder = DistributedDataParallel(decoder)
            for epoch in range(2):
                for batch in loader:
                    first.zero_grad()
                    second.zero_grad()
                    with decoder.no_sync():
                        encoder(batch).backward()
                        decoder(batch).backward()
                    torch.nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
                    first.step()
                    second.step()
    """,
    "one forward and two backwards": """
        def train(model, criterion, optimizer, loader):
            for batch in loader:
                output = model(batch)
                for weight in range(2):
                    criterion(output, batch).backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "gan": """
        import torch

        def train(generator, discriminator, criterion, loader, epochs):
            opt_g = torch.optim.SGD(generator.parameters(), lr=0.1)
            opt_d = torch.optim.SGD(discriminator.parameters(), lr=0.1)
            for epoch in range(epochs):
                for batch in loader:
                    opt_d.zero_grad()
                    fake = generator(batch)
                    real_loss = criterion(discriminator(batch), batch)
                    fake_loss = criterion(discriminator(fake.detach()), batch)
                    d_loss = (real_loss + fake_loss) / 2
                    d_loss.backward()
                    opt_d.step()
                    opt_g.zero_grad()
                    g_loss = criterion(discriminator(fake), batch)
                    g_loss.backward()
                    opt_g.step()
    """,
    "gan with a critic of several steps": """
        import torch

        def train(generator, discriminator, loader):
            opt_g = torch.optim.SGD(generator.parameters(), lr=0.1)
            opt_d = torch.optim.SGD(discriminator.parameters(), lr=0.1)
            for i, batch in enumerate(loader):
                opt_d.zero_grad()
                d_loss = discriminator(batch)
                d_loss.backward()
                opt_d.step()
                if i % 3 == 0:
                    opt_g.zero_grad()
                    g_loss = discriminator(generator(batch))
                    g_loss.backward()
                    opt_g.step()
    """,
    "gan in accumulation": """
        import torch

        def train(generator, discriminator, loader, {n}):
            opt_g = torch.optim.SGD(generator.parameters(), lr=0.1)
            opt_d = torch.optim.SGD(discriminator.parameters(), lr=0.1)
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    d_loss = discriminator(batch) / {n}
                    d_loss.backward()
                    if (i + 1) % {n} == 0:
                        opt_d.step()
                        opt_d.zero_grad()
                for i, batch in enumerate(loader):
                    g_loss = generator(batch) / {n}
                    g_loss.backward()
                    if (i + 1) % {n} == 0:
                        opt_g.step()
                        opt_g.zero_grad()
    """,
    "try finally": """
        def train(model, optimizer, loader, log, {n}):
            for i, batch in enumerate(loader):
                try:
                    (model(batch) / {n}).backward()
                except RuntimeError:
                    log("out of memory")
                    continue
                else:
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                finally:
                    if (i + 1) % {n} == 0:
                        optimizer.zero_grad()
    """,
    "finally after continue": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                try:
                    (model(batch) / {n}).backward()
                    if (i + 1) % {n} != 0:
                        continue
                    optimizer.step()
                    optimizer.zero_grad()
                finally:
                    i += 1
    """,
    "early return": """
        def train(model, optimizer, loader):
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    if epoch == 1 and i == 3:
                        return
                    optimizer.zero_grad()
                    model(batch).backward()
                    optimizer.step()
    """,
    "match on the phase": """
        def train(model, optimizer, loader):
            for i, batch in enumerate(loader):
                model(batch).backward()
                match i % 3:
                    case 2:
                        optimizer.step()
                    case 0:
                        optimizer.zero_grad()
                    case _:
                        pass
    """,
    "flag of the last batch": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                last = i == len(loader) - 1
                update = (i + 1) % {n} == 0 or last
                (model(batch) / {n}).backward()
                if update:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "last window at hand": """
        def train(model, optimizer, loader, {n}):
            whole = len(loader) // {n} * {n}
            for i, batch in enumerate(loader):
                if i >= whole:
                    break
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "windows counted by division": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if (i + 1) // {n} * {n} == i + 1:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "divmod": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                window, rest = divmod(i + 1, {n})
                (model(batch) / {n}).backward()
                if rest == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "two schedulers": """
        def train(model, optimizer, scheduler, warmup_scheduler, loader, {n}):
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    (model(batch) / {n}).backward()
                    warmup_scheduler.step()
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                        scheduler.step()
                        optimizer.zero_grad()
    """,
    "scaler in methods": """
        class Trainer:
            def __init__(self, model, optimizer, scaler):
                self.model, self.optimizer, self.scaler = model, optimizer, scaler
                self.count = 0

            def backward(self, loss):
                self.scaler.scale(loss).backward()

            def step(self):
                self.scaler.unscale_(self.optimizer)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()

            def fit(self, loader, {n}):
                for epoch in range(2):
                    for batch in loader:
                        self.count += 1
                        self.backward(self.model(batch) / {n})
                        if self.count % {n} == 0:
                            self.step()
    """,
    "inherited methods": """
        class Base:
            def __init__(self, model, optimizer):
                self.model = model
                self.optimizer = optimizer

            def due(self, i):
                return True

            def spend(self):
                self.optimizer.step()

            def fit(self, loader):
                for epoch in range(2):
                    for i, batch in enumerate(loader):
                        self.model(batch).backward()
                        if self.due(i):
                            self.spend()

        class Trainer(Base):
            def due(self, i):
                return (i + 1) % 2 == 0

            def spend(self):
                super().spend()
                self.optimizer.zero_grad()
    """,
    "properties and fields": """
        class Trainer:
            accumulate = 4

            def __init__(self, model, optimizer):
                self.model = model
                self.optimizer = optimizer
                self.i = 0

            @property
            def due(self):
                return (self.i + 1) % self.accumulate == 0

            def fit(self, loader):
                for epoch in range(2):
                    for self.i, batch in enumerate(loader):
                        (self.model(batch) / self.accumulate).backward()
                        if self.due:
                            self.optimizer.step()
                            self.optimizer.zero_grad()
    """,
    "static method": """
        class Trainer:
            def __init__(self, model, optimizer):
                self.model = model
                self.optimizer = optimizer

            @staticmethod
            def due(i, n):
                return (i + 1) % n == 0

            def fit(self, loader, {n}):
                for i, batch in enumerate(loader):
                    (self.model(batch) / {n}).backward()
                    if self.due(i, {n}):
                        self.optimizer.step()
                        self.optimizer.zero_grad()
    """,
    "context manager of the project": """
        import contextlib
        from torch.nn.parallel import DistributedDataParallel

        @contextlib.contextmanager
        def quiet(model, due):
            if due:
                yield
            else:
                with model.no_sync():
                    yield

        def train(model, optimizer, loader, {n}):
            model = DistributedDataParallel(model)
            for i, batch in enumerate(loader):
                due = (i + 1) % {n} == 0
                with quiet(model, due):
                    (model(batch) / {n}).backward()
                if due:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "exit stack": """
        import contextlib
        from torch.nn.parallel import DistributedDataParallel

        def train(model, optimizer, loader, {n}):
            model = DistributedDataParallel(model)
            for i, batch in enumerate(loader):
                due = (i + 1) % {n} == 0
                with contextlib.ExitStack() as stack:
                    if not due:
                        stack.enter_context(model.no_sync())
                    (model(batch) / {n}).backward()
                if due:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "no_sync held as a function": """
        import contextlib
        from torch.nn.parallel import DistributedDataParallel

        def train(model, optimizer, loader, {n}):
            model = DistributedDataParallel(model)
            for i, batch in enumerate(loader):
                due = (i + 1) % {n} == 0
                enter = contextlib.nullcontext if due else model.no_sync
                with enter():
                    (model(batch) / {n}).backward()
                if due:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "two forwards before two backwards": """
        def train(model, optimizer, loader):
            for batch in loader:
                first = model(batch)
                second = model(batch)
                optimizer.zero_grad()
                first.backward()
                second.backward()
                optimizer.step()
    """,
    "zero in the middle of the window": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if i % {n} == 0:
                    optimizer.zero_grad()
                if (i + 1) % {n} == 0:
                    optimizer.step()
    """,
    "step of the window before": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                if i > 0 and i % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
                (model(batch) / {n}).backward()
            optimizer.step()
    """,
    "enumerate twice": """
        def train(model, optimizer, loader, {n}):
            for i, (k, batch) in enumerate(enumerate(loader, 1)):
                (model(batch) / {n}).backward()
                if k % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "zip with a range": """
        def train(model, optimizer, loader, {n}):
            for i, batch in zip(range(len(loader)), loader):
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "zip of two loaders": """
        def train(model, optimizer, loader, {n}):
            for i, (batch, other) in enumerate(zip(loader, loader)):
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "epochs by while": """
        def train(model, optimizer, loader, epochs, {n}):
            epoch = 0
            while epoch < epochs:
                for i, batch in enumerate(loader):
                    (model(batch) / {n}).backward()
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                epoch += 1
    """,
    "epochs from one": """
        def train(model, optimizer, loader, epochs, {n}):
            for epoch in range(1, epochs + 1):
                for i, batch in enumerate(loader):
                    (model(batch) / {n}).backward()
                    if (i + 1) % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "iteration computed from the epoch": """
        def train(model, optimizer, loader, epochs, {n}):
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    step = epoch * len(loader) + i
                    (model(batch) / {n}).backward()
                    if (step + 1) % {n} == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "window named by an expression": """
        def train(model, optimizer, loader, batch_size, micro_batch_size):
            accumulate = batch_size // micro_batch_size
            for i, batch in enumerate(loader):
                (model(batch) / accumulate).backward()
                if (i + 1) % accumulate == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "warm-up epoch without a window": """
        def train(model, optimizer, loader, {n}):
            for epoch in range(2):
                size = 1 if epoch == 0 else {n}
                for i, batch in enumerate(loader):
                    (model(batch) / size).backward()
                    if (i + 1) % size == 0:
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "assert and del and pass": """
        def train(model, optimizer, loader, {n}):
            assert {n} > 0
            for i, batch in enumerate(loader):
                loss = model(batch) / {n}
                loss.backward()
                del loss
                pass
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "shadowed name": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                for i in range(2):
                    (model(batch[i]) / 2).backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "counter in a dictionary": """
        def train(model, optimizer, loader, {n}):
            state = {{"count": 0}}
            for batch in loader:
                state["count"] += 1
                (model(batch) / {n}).backward()
                if state["count"] % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "counter in a list": """
        def train(model, optimizer, loader, {n}):
            pending = []
            for batch in loader:
                loss = model(batch) / {n}
                loss.backward()
                pending.append(loss.item())
                if len(pending) == {n}:
                    optimizer.step()
                    optimizer.zero_grad()
                    pending = []
    """,
    "counter cleared in place": """
        def train(model, optimizer, loader, {n}):
            pending = []
            for batch in loader:
                loss = model(batch) / {n}
                loss.backward()
                pending.append(loss.item())
                if len(pending) >= {n}:
                    optimizer.step()
                    optimizer.zero_grad()
                    pending.clear()
    """,
    "itertools count": """
        import itertools

        def train(model, optimizer, loader, {n}):
            for i, batch in zip(itertools.count(1), loader):
                (model(batch) / {n}).backward()
                if i % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "boolean arithmetic": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if ((i + 1) % {n} == 0) | (i + 1 == len(loader)):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "not of or": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if not ((i + 1) % {n} != 0 and i + 1 != len(loader)):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "aliases of the optimizer": """
        def train(model, optimizer, loader):
            it = optimizer
            for batch in loader:
                it.zero_grad()
                model(batch).backward()
                optimizer.step()
    """,
    "rebound optimizer": """
        import torch

        def train(model, net, loader):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for batch in loader:
                optimizer.zero_grad()
                net(batch).backward()
                optimizer.step()
    """,
    "an alias that only steps": """
        def train(model, optimizer, loader, {n}):
            it = optimizer
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    it.step()
    """,
    "names that say nothing": """
        import torch

        def train(model, loader, epochs, {n}):
            adam = torch.optim.AdamW(model.parameters(), lr=0.1)
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch) / {n}).backward()
                    if (i + 1) % {n} == 0:
                        adam.step()
                        model.zero_grad()
    """,
    "names that say nothing, scaled": """
        import torch

        def train(model, loader, epochs, {n}):
            adam = torch.optim.AdamW(model.parameters(), lr=0.1)
            amp = torch.cuda.amp.GradScaler()
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    amp.scale(model(batch) / {n}).backward()
                    if (i + 1) % {n} == 0:
                        amp.step(adam)
                        model.zero_grad()
    """,
    "clip through a helper": """
        import torch

        def clip(parameters, limit):
            return torch.nn.utils.clip_grad_norm_(parameters, limit)

        def train(model, optimizer, loader):
            for batch in loader:
                optimizer.zero_grad()
                model(batch).backward()
                norm = clip(model.parameters(), 1.0)
                optimizer.step()
    """,
    "scheduler through a flag of the epoch": """
        def train(model, optimizer, scheduler, loader):
            for epoch in range(2):
                for batch in loader:
                    optimizer.zero_grad()
                    model(batch).backward()
                    optimizer.step()
                if epoch > 0:
                    scheduler.step()
    """,
    "call of a call": """
        def maker(n):
            def due(i):
                return (i + 1) % n == 0
            return due

        def train(model, optimizer, loader, {n}):
            due = maker({n})
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if due(i):
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "recursion": """
        def spend(optimizer, times):
            if times == 0:
                optimizer.zero_grad()
                return
            optimizer.step()
            spend(optimizer, times - 1)

        def train(model, optimizer, loader):
            for batch in loader:
                model(batch).backward()
                spend(optimizer, 1)
    """,
    "star arguments": """
        def spend(*optimizers, clear=True, **options):
            for optimizer in optimizers:
                optimizer.step()
                if clear:
                    optimizer.zero_grad()

        def train(encoder, decoder, encoder_optimizer, decoder_optimizer, loader, {n}):
            both = (encoder_optimizer, decoder_optimizer)
            for i, batch in enumerate(loader):
                (decoder(encoder(batch)) / {n}).backward()
                if (i + 1) % {n} == 0:
                    spend(*both, clear=True, verbose=False)
    """,
    "comprehension steps": """
        def train(encoder, decoder, encoder_optimizer, decoder_optimizer, loader):
            for batch in loader:
                decoder(encoder(batch)).backward()
                [it.step() for it in (encoder_optimizer, decoder_optimizer)]
                [it.zero_grad() for it in (encoder_optimizer, decoder_optimizer)]
    """,
    "conditional expression steps": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                optimizer.step() if (i + 1) % {n} == 0 else None
                optimizer.zero_grad() if (i + 1) % {n} == 0 else None
    """,
    "short circuit steps": """
        def train(model, optimizer, loader, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                (i + 1) % {n} == 0 and optimizer.step()
                (i + 1) % {n} != 0 or optimizer.zero_grad()
    """,
    "no_sync for all but the last": """
        from torch.nn.parallel import DistributedDataParallel

        def train(model, optimizer, loader, {n}):
            model = DistributedDataParallel(model)
            for batch in loader:
                with model.no_sync():
                    for micro in range({n} - 1):
                        (model(batch[micro]) / {n}).backward()
                (model(batch[{n} - 1]) / {n}).backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
    "micro-batch one is synchronised": """
        from torch.nn.parallel import DistributedDataParallel

        def train(model, optimizer, loader, {n}):
            model = DistributedDataParallel(model)
            for batch in loader:
                for micro in range({n}):
                    if micro < {n} - 1:
                        with model.no_sync():
                            (model(batch[micro]) / {n}).backward()
                    else:
                        (model(batch[micro]) / {n}).backward()
                optimizer.step()
                optimizer.zero_grad()
    """,
}

_SCENARIOS = {
    "a flag gates the clip": """
        import torch

        def train(model, optimizer, loader, clip, {n}):
            for i, batch in enumerate(loader):
                (model(batch) / {n}).backward()
                if (i + 1) % {n} == 0:
                    if clip:
                        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a limit gates the clip": """
        import torch

        def train(model, optimizer, loader, max_norm):
            for batch in loader:
                optimizer.zero_grad()
                model(batch).backward()
                if max_norm > 0:
                    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
                optimizer.step()
    """,
    "an optional limit gates the clip": """
        import torch

        def train(model, optimizer, loader, max_norm):
            for batch in loader:
                optimizer.zero_grad()
                model(batch).backward()
                if max_norm is not None:
                    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
                optimizer.step()
    """,
    "an optional scaler": """
        import torch

        def train(model, optimizer, scaler, loader, {n}):
            for i, batch in enumerate(loader):
                loss = model(batch) / {n}
                if scaler is not None:
                    scaler.scale(loss).backward()
                else:
                    loss.backward()
                if (i + 1) % {n} == 0:
                    if scaler is not None:
                        scaler.unscale_(optimizer)
                    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                    if scaler is None:
                        optimizer.step()
                    else:
                        scaler.step(optimizer)
                        scaler.update()
                    optimizer.zero_grad()
    """,
    "a scaler where the flag says so": """
        import torch

        def train(model, optimizer, loader, use_amp, {n}):
            scaler = torch.cuda.amp.GradScaler() if use_amp else None
            for epoch in range(2):
                for i, batch in enumerate(loader):
                    loss = model(batch) / {n}
                    if use_amp:
                        scaler.scale(loss).backward()
                    else:
                        loss.backward()
                    if (i + 1) % {n} == 0:
                        if scaler:
                            scaler.step(optimizer)
                            scaler.update()
                        else:
                            optimizer.step()
                        optimizer.zero_grad()
    """,
    "a scaler that is switched off": """
        import torch

        def train(model, optimizer, loader, use_amp):
            scaler = torch.cuda.amp.GradScaler(enabled=use_amp)
            for epoch in range(2):
                for batch in loader:
                    optimizer.zero_grad()
                    scaler.scale(model(batch)).backward()
                    if use_amp:
                        scaler.unscale_(optimizer)
                    scaler.step(optimizer)
                    scaler.update()
    """,
    "a flag and its opposite": """
        def train(model, optimizer, loader, warm):
            for batch in loader:
                if not warm:
                    optimizer.zero_grad()
                model(batch).backward()
                optimizer.step()
                if warm:
                    optimizer.zero_grad()
    """,
    "an early continue by a flag": """
        def train(model, optimizer, loader, frozen):
            for batch in loader:
                optimizer.zero_grad()
                model(batch).backward()
                if frozen:
                    continue
                optimizer.step()
    """,
    "two flags": """
        import torch

        def train(model, optimizer, scheduler, loader, clip, schedule):
            for batch in loader:
                optimizer.zero_grad()
                model(batch).backward()
                if clip and not schedule:
                    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                if schedule or not clip:
                    scheduler.step()
    """,
    "a flag wraps the model": """
        from torch.nn.parallel import DistributedDataParallel

        def train(model, optimizer, loader, distributed, {n}):
            if distributed:
                model = DistributedDataParallel(model)
            for i, batch in enumerate(loader):
                due = (i + 1) % {n} == 0
                if distributed and not due:
                    with model.no_sync():
                        (model(batch) / {n}).backward()
                else:
                    (model(batch) / {n}).backward()
                if due:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a flag divides": """
        def train(model, optimizer, loader, average, {n}):
            for i, batch in enumerate(loader):
                loss = model(batch)
                if average:
                    loss = loss / {n}
                loss.backward()
                if (i + 1) % {n} == 0:
                    optimizer.step()
                    optimizer.zero_grad()
    """,
    "a method asks for the flag": """
        class Trainer:
            def __init__(self, model, optimizer, scheduler, per_batch):
                self.model = model
                self.optimizer = optimizer
                self.scheduler = scheduler
                self.per_batch = per_batch

            def move(self, end):
                if self.per_batch != end:
                    self.scheduler.step()

            def fit(self, loader):
                for epoch in range(2):
                    for batch in loader:
                        self.optimizer.zero_grad()
                        self.model(batch).backward()
                        self.optimizer.step()
                        if self.per_batch:
                            self.scheduler.step()
                    if not self.per_batch:
                        self.scheduler.step()
    """,
}
"""Loops with guards that nobody can know: every world must agree with reality."""

_ACCELERATE = {
    "accelerate accumulates": """
        from accelerate import Accelerator

        def train(model, optimizer, scheduler, loader, epochs, {n}):
            accelerator = Accelerator(gradient_accumulation_steps={n})
            model, optimizer, loader, scheduler = accelerator.prepare(
                model, optimizer, loader, scheduler
            )
            for epoch in range(epochs):
                for batch in loader:
                    with accelerator.accumulate(model):
                        loss = model(batch)
                        accelerator.backward(loss)
                        if accelerator.sync_gradients:
                            accelerator.clip_grad_norm_(model.parameters(), 1.0)
                        optimizer.step()
                        scheduler.step()
                        optimizer.zero_grad()
    """,
    "accelerate clears at the top": """
        from accelerate import Accelerator

        def train(model, optimizer, loader, epochs, {n}):
            accelerator = Accelerator(gradient_accumulation_steps={n})
            model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
            for epoch in range(epochs):
                for batch in loader:
                    with accelerator.accumulate(model):
                        optimizer.zero_grad()
                        accelerator.backward(model(batch))
                        optimizer.step()
    """,
    "accelerate is divided by hand too": """
        from accelerate import Accelerator

        def train(model, optimizer, loader, epochs, {n}):
            accelerator = Accelerator(gradient_accumulation_steps={n})
            model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
            for epoch in range(epochs):
                for batch in loader:
                    with accelerator.accumulate(model):
                        accelerator.backward(model(batch) / {n})
                        accelerator.clip_grad_norm_(model.parameters(), 1.0)
                        optimizer.step()
                        optimizer.zero_grad()
    """,
    "accelerate without a window": """
        from accelerate import Accelerator

        def train(model, optimizer, loader, epochs):
            accelerator = Accelerator()
            model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
            for epoch in range(epochs):
                for batch in loader:
                    optimizer.zero_grad()
                    accelerator.backward(model(batch))
                    optimizer.step()
    """,
}

_INDEXED = {
    "step function": """
        def training_step(model, optimizer, batch, i, {n}):
            (model(batch) / {n}).backward()
            if (i + 1) % {n} == 0:
                optimizer.step()
                optimizer.zero_grad()
    """,
    "step function without a window": """
        def training_step(model, optimizer, batch, i):
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()
    """,
}


def _loop(text: str, size: int | None, calls: int = 1, indexed: str = "") -> Loop:
    if size is None:
        source = text.format(n="accumulation_steps")
    else:
        source = re.sub(r"(def (?:train|fit)\(.*), \{n\}\):", r"\1):", text).format(n=size)
    source = dedent(source)
    name = "training_step" if indexed else "Trainer.fit" if "class Trainer" in source else "train"
    return Loop(source, Entry(name, calls, _MODELS, indexed))


def _calls(text: str) -> int:
    """A loop over batches alone is called once for each epoch."""
    looped = any(word in text for word in ("epoch in", "while epoch"))
    return 1 if looped or "optim.SGD" in text else 2


def _all(texts: dict[str, str]) -> dict[str, Loop]:
    return {
        f"{name}, {'symbol' if size is None else size}": _loop(text, size, _calls(text))
        for name, text in texts.items()
        for size in ((None, 2, 4) if "{n}" in text else (None,))
    }


IDIOMS: dict[str, Loop] = _all(_TEXTS | _ACCELERATE)
SCENARIOS: dict[str, Loop] = _all(_SCENARIOS)
STEPS: dict[str, str] = {name: dedent(text) for name, text in _INDEXED.items()}

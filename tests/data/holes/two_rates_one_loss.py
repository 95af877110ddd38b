# === a trunk that learns from four batches at once, clipped at each, beside a head that learns from every one
import torch


def fit(model, loader, criterion):
    fast = torch.optim.SGD(model.head.parameters(), lr=0.1)
    slow = torch.optim.SGD(model.trunk.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, start=1):
        fast.zero_grad()
        loss = criterion(model.head(model.trunk(x)), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.trunk.parameters(), 1.0)  # <- clip-per-micro-batch
        fast.step()
        if n % 4 == 0:
            for p in model.trunk.parameters():
                p.grad /= 4
            slow.step()
            slow.zero_grad()

# === the same, clipped where it steps
import torch


def fit(model, loader, criterion):
    fast = torch.optim.SGD(model.head.parameters(), lr=0.1)
    slow = torch.optim.SGD(model.trunk.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, start=1):
        fast.zero_grad()
        loss = criterion(model.head(model.trunk(x)), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.head.parameters(), 1.0)
        fast.step()
        if n % 4 == 0:
            for p in model.trunk.parameters():
                p.grad /= 4
            torch.nn.utils.clip_grad_norm_(model.trunk.parameters(), 1.0)
            slow.step()
            slow.zero_grad()

# === a sum over four batches, for which the slow rate may be chosen
import torch


def fit(model, loader, criterion):
    fast = torch.optim.SGD(model.head.parameters(), lr=0.1)
    slow = torch.optim.SGD(model.trunk.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, start=1):
        fast.zero_grad()
        loss = criterion(model.head(model.trunk(x)), y)
        loss.backward()
        fast.step()
        if n % 4 == 0:
            slow.step()
            slow.zero_grad()

# === everything is cleared for each batch: every fourth one alone moves the trunk
import torch


def fit(model, loader, criterion):
    fast = torch.optim.SGD(model.head.parameters(), lr=0.1)
    slow = torch.optim.SGD(model.trunk.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, start=1):
        model.zero_grad()
        loss = criterion(model.head(model.trunk(x)), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.trunk.parameters(), 1.0)
        fast.step()
        if n % 4 == 0:
            slow.step()

# === both are cleared by their optimizers
import torch


def fit(model, loader, criterion):
    fast = torch.optim.SGD(model.head.parameters(), lr=0.1)
    slow = torch.optim.SGD(model.trunk.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, start=1):
        fast.zero_grad()
        slow.zero_grad()
        loss = criterion(model.head(model.trunk(x)), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.trunk.parameters(), 1.0)
        fast.step()
        if n % 4 == 0:
            slow.step()

# === a critic learns from each batch, a generator from its own loss now and then
import torch


def fit(maker, critic, loader, noise):
    maker_opt = torch.optim.Adam(maker.parameters())
    critic_opt = torch.optim.Adam(critic.parameters())
    for n, real in enumerate(loader, start=1):
        critic_opt.zero_grad()
        (critic(maker(noise()).detach()).mean() - critic(real).mean()).backward()
        torch.nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
        critic_opt.step()
        if n % 5 == 0:
            maker_opt.zero_grad()
            (-critic(maker(noise())).mean()).backward()
            maker_opt.step()

# === one norm of both, for the sake of the head
import torch


def fit(model, loader, criterion):
    fast = torch.optim.SGD(model.head.parameters(), lr=0.1)
    slow = torch.optim.SGD(model.trunk.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader, start=1):
        fast.zero_grad()
        loss = criterion(model.head(model.trunk(x)), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        fast.step()
        if n % 4 == 0:
            for p in model.trunk.parameters():
                p.grad /= 4
            slow.step()
            slow.zero_grad()

# === a trunk that steps with the first batch already, and then with every fourth
import torch


def fit(model, loader, criterion):
    fast = torch.optim.SGD(model.head.parameters(), lr=0.1)
    slow = torch.optim.SGD(model.trunk.parameters(), lr=0.1)
    for n, (x, y) in enumerate(loader):
        fast.zero_grad()
        loss = criterion(model.head(model.trunk(x)), y)
        loss.backward()
        fast.step()
        if n % 4 == 0:
            slow.step()
            slow.zero_grad()

# === the parts are in one optimizer, and one norm is taken at each
import torch


def fit(model, loader, criterion):
    both = torch.optim.SGD([{"params": model.head.parameters()}, {"params": model.trunk.parameters()}], lr=0.1)
    for n, (x, y) in enumerate(loader, start=1):
        loss = criterion(model.head(model.trunk(x)), y) / 4
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        if n % 4 == 0 or n == len(loader):
            both.step()
            both.zero_grad()

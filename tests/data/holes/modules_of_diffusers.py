# === the module of diffusers is one of torch's
import torch
from diffusers import ModelMixin


class Both(ModelMixin):
    def __init__(self, net, table):
        super().__init__()
        self.net = net
        self.table = table

    def forward(self, x):
        return self.net(x, self.table(x))


def fit(net, table, loader):
    both = Both(net, table)
    some = filter(lambda p: p.requires_grad, both.parameters())
    optimizer = torch.optim.AdamW(both.parameters(), lr=1e-4)
    both.train()
    for x, y in loader:
        torch.nn.functional.mse_loss(both(x), y).backward()
        torch.nn.utils.clip_grad_norm_(some, 1.0)  # <- clip-exhausted-parameters
        optimizer.step()
        optimizer.zero_grad()


# === the same by its full name, beside a mixin
import torch
from diffusers.configuration_utils import ConfigMixin
from diffusers.models.modeling_utils import ModelMixin


class Both(ModelMixin, ConfigMixin):
    def __init__(self, net, table):
        super().__init__()
        self.net = net
        self.table = table

    def forward(self, x):
        return self.net(x, self.table(x))


def fit(net, table, loader):
    both = Both(net, table)
    some = filter(lambda p: p.requires_grad, both.parameters())
    optimizer = torch.optim.AdamW(both.parameters(), lr=1e-4)
    both.train()
    for x, y in loader:
        torch.nn.functional.mse_loss(both(x), y).backward()
        torch.nn.utils.clip_grad_norm_(some, 1.0)  # <- clip-exhausted-parameters
        optimizer.step()
        optimizer.zero_grad()


# === right: its parameters are in a list
import torch
from diffusers import ModelMixin


class Both(ModelMixin):
    def __init__(self, net, table):
        super().__init__()
        self.net = net
        self.table = table

    def forward(self, x):
        return self.net(x, self.table(x))


def fit(net, table, loader):
    both = Both(net, table)
    some = list(filter(lambda p: p.requires_grad, both.parameters()))
    optimizer = torch.optim.AdamW(both.parameters(), lr=1e-4)
    both.train()
    for x, y in loader:
        torch.nn.functional.mse_loss(both(x), y).backward()
        torch.nn.utils.clip_grad_norm_(some, 1.0)
        optimizer.step()
        optimizer.zero_grad()


# === right: nobody sees what a mixin of somebody else's does
import torch
from elsewhere import ModelMixin


class Both(ModelMixin):
    def __init__(self, net, table):
        super().__init__()
        self.net = net
        self.table = table

    def forward(self, x):
        return self.net(x, self.table(x))


def fit(net, table, loader):
    both = Both(net, table)
    some = filter(lambda p: p.requires_grad, both.parameters())
    optimizer = torch.optim.AdamW(both.parameters(), lr=1e-4)
    both.train()
    for x, y in loader:
        torch.nn.functional.mse_loss(both(x), y).backward()
        torch.nn.utils.clip_grad_norm_(some, 1.0)
        optimizer.step()
        optimizer.zero_grad()


# === right: the other mixins of diffusers are no modules
import torch
from diffusers import ConfigMixin


class Both(ConfigMixin):
    def __init__(self, net, table):
        super().__init__()
        self.net = net
        self.table = table

    def forward(self, x):
        return self.net(x, self.table(x))


def fit(net, table, loader):
    both = Both(net, table)
    some = filter(lambda p: p.requires_grad, both.parameters())
    optimizer = torch.optim.AdamW(both.parameters(), lr=1e-4)
    both.train()
    for x, y in loader:
        torch.nn.functional.mse_loss(both(x), y).backward()
        torch.nn.utils.clip_grad_norm_(some, 1.0)
        optimizer.step()
        optimizer.zero_grad()

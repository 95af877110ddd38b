# === the batches of each epoch are counted anew
import pytorch_lightning as pl
from torch import nn, optim


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0:  # <- dropped-accumulation-tail
            opt.step()
            opt.zero_grad()

    def configure_optimizers(self):
        return optim.SGD(self.net.parameters(), lr=0.1)


# === whatever the number of the batch is called
import lightning as L
from torch import nn


class Soil(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(6, 1)

    def training_step(self, batch, number):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / 4)
        if (number + 1) % 4 == 0:  # <- dropped-accumulation-tail
            opt.step()
            opt.zero_grad()


# === an inner loop goes backward as well
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every, rounds):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every, self.rounds = nn.Linear(6, 1), every, rounds

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        for _ in range(2):
            self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / 2 / self.every)
        if (batch_idx + 1) % self.every == 0:  # <- dropped-accumulation-tail
            opt.step()
            opt.zero_grad()


# === a count that each epoch begins anew
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every
        self.seen = 0

    def on_train_epoch_start(self):
        self.seen = 0

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        self.seen += 1
        if self.seen % self.every == 0:  # <- dropped-accumulation-tail
            opt.step()
            opt.zero_grad()


# === a count of its own goes on from epoch to epoch
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every
        self.seen = 0

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        self.seen += 1
        if self.seen % self.every == 0:
            opt.step()
            opt.zero_grad()


# === the trainer says which batch is the last
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0 or self.trainer.is_last_batch:
            opt.step()
            opt.zero_grad()


# === the trainer says how many batches there are
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        last = batch_idx == self.trainer.num_training_batches - 1
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0 or last:
            opt.step()
            opt.zero_grad()


# === the loader of the trainer has a length
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0 or batch_idx + 1 == len(self.trainer.train_dataloader):
            opt.step()
            opt.zero_grad()


# === a helper of the module asks for the last batch
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def is_due(self, batch_idx):
        return (batch_idx + 1) % self.every == 0 or (batch_idx + 1) >= self.trainer.num_training_batches

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if self.is_due(batch_idx):
            opt.step()
            opt.zero_grad()


# === a hook steps behind the epoch
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0:
            opt.step()
            opt.zero_grad()

    def on_train_epoch_end(self):
        opt = self.optimizers()
        opt.step()
        opt.zero_grad()


# === a hook clears before the epoch
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def on_train_epoch_start(self):
        self.optimizers().zero_grad()

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0:
            opt.step()
            opt.zero_grad()


# === a hook clears all that the network has, in a base
import pytorch_lightning as pl
from torch import nn


class Ground(pl.LightningModule):
    def on_train_epoch_end(self):
        self.zero_grad()


class Soil(Ground):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0:
            opt.step()
            opt.zero_grad()


# === the first of a window clears what is left
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        if batch_idx % self.every == 0:
            opt.zero_grad()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0:
            opt.step()


# === a hook behind each batch steps
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)

    def on_train_batch_end(self, outputs, batch, batch_idx):
        if (batch_idx + 1) % self.every == 0 or self.trainer.is_last_batch:
            self.optimizers().step()
            self.optimizers().zero_grad()


# === a hook behind each batch steps, and not behind the last
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)

    def on_train_batch_end(self, outputs, batch, batch_idx):
        if (batch_idx + 1) % self.every == 0:  # <- dropped-accumulation-tail
            self.optimizers().step()
            self.optimizers().zero_grad()


# === a step each batch, and a clear before it
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(6, 1)

    def training_step(self, batch, batch_idx):
        opt, schedule = self.optimizers(), self.lr_schedulers()
        opt.zero_grad()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]))
        opt.step()
        if self.trainer.is_last_batch:
            schedule.step()


# === a step each batch, and a hook clears
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(6, 1)

    def on_train_batch_start(self, batch, batch_idx):
        self.optimizers().zero_grad()

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]))
        opt.step()


# === two optimizers, and the end of an epoch steps neither
import pytorch_lightning as pl
from torch import nn, optim


class Pair(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.left, self.right, self.every = nn.Linear(6, 1), nn.Linear(6, 1), every

    def configure_optimizers(self):
        return [optim.Adam(self.left.parameters()), optim.Adam(self.right.parameters())], []

    def training_step(self, batch, batch_idx):
        first, second = self.optimizers()
        self.manual_backward(self.left(batch[0]).pow(2).mean() / self.every)
        if (batch_idx + 1) % self.every == 0:  # <- dropped-accumulation-tail
            first.step()
            first.zero_grad()
        self.manual_backward(self.right(batch[1]).pow(2).mean() / self.every)
        if (batch_idx + 1) % self.every == 0:  # <- dropped-accumulation-tail
            second.step()
            second.zero_grad()


# === two optimizers, and a hook steps both under other names
import pytorch_lightning as pl
from torch import nn, optim


class Pair(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.left, self.right, self.every = nn.Linear(6, 1), nn.Linear(6, 1), every

    def configure_optimizers(self):
        return optim.Adam(self.left.parameters()), optim.Adam(self.right.parameters())

    def training_step(self, batch, batch_idx):
        first, second = self.optimizers()
        self.manual_backward(self.left(batch[0]).pow(2).mean() / self.every)
        self.manual_backward(self.right(batch[1]).pow(2).mean() / self.every)
        if (batch_idx + 1) % self.every == 0:
            first.step()
            first.zero_grad()
            second.step()
            second.zero_grad()

    def on_train_epoch_end(self):
        for opt in self.optimizers():
            opt.step()
            opt.zero_grad()


# === one by number, and a hook clears it
import pytorch_lightning as pl
from torch import nn, optim


class Pair(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.left, self.right, self.every = nn.Linear(6, 1), nn.Linear(6, 1), every

    def training_step(self, batch, batch_idx):
        first = self.optimizers()[0]
        self.manual_backward(self.left(batch[0]).pow(2).mean() / self.every)
        if (batch_idx + 1) % self.every == 0:
            first.step()
            first.zero_grad()

    def on_train_epoch_start(self):
        opt = self.optimizers()[0]
        opt.zero_grad()


# === the only one is cleared under another name
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self, every):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.every = nn.Linear(6, 1), every

    def on_train_epoch_start(self):
        optimizer = self.optimizers()
        optimizer.zero_grad()

    def training_step(self, batch, batch_idx):
        opt = self.optimizers(use_pl_optimizer=True)
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]) / self.every)
        if (batch_idx + 1) % self.every == 0:
            opt.step()
            opt.zero_grad()


# === the trainer refuses to accumulate where a module optimizes by hand
import pytorch_lightning as pl
from torch import nn


class Soil(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(6, 1)

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(nn.functional.mse_loss(self.net(batch[0]), batch[1]))
        if (batch_idx + 1) % self.trainer.accumulate_grad_batches == 0:
            opt.step()
            opt.zero_grad()

# === a critic is trained with the pictures of a generator without gradients, whose pieces nobody divides then
import torch
import torch.nn.functional as F


def fit(gen: torch.nn.Module, critic: torch.nn.Module, opt_g, opt_d, loader, draw, pieces):
    for real in loader:
        z = draw(len(real))
        size = len(z) // pieces
        with torch.no_grad():
            fake = torch.cat([gen(z[k * size : (k + 1) * size]) for k in range(pieces)])
        d_loss = F.softplus(critic(fake)).mean() + F.softplus(-critic(real)).mean()
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

        z = draw(len(real))
        opt_g.zero_grad()
        for k in range(pieces):
            g_loss = F.softplus(-critic(gen(z[k * size : (k + 1) * size]))).mean()
            g_loss.backward()  # <- unscaled-accumulation-loss
        opt_g.step()


# === right: each piece has its share
import torch
import torch.nn.functional as F


def fit(gen: torch.nn.Module, critic: torch.nn.Module, opt_g, opt_d, loader, draw, pieces):
    for real in loader:
        z = draw(len(real))
        size = len(z) // pieces
        with torch.no_grad():
            fake = torch.cat([gen(z[k * size : (k + 1) * size]) for k in range(pieces)])
        d_loss = F.softplus(critic(fake)).mean() + F.softplus(-critic(real)).mean()
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

        z = draw(len(real))
        opt_g.zero_grad()
        for k in range(pieces):
            g_loss = F.softplus(-critic(gen(z[k * size : (k + 1) * size]))).mean()
            (g_loss / pieces).backward()
        opt_g.step()


# === right: the outputs without gradients stand for the rest of the batch, and two optimizers step behind all
import torch
import torch.nn.functional as F


def fit(left: torch.nn.Module, right: torch.nn.Module, opt_l, opt_r, loader, pieces):
    for a, b in loader:
        size = len(a) // pieces
        with torch.no_grad():
            us, vs = left(a), right(b)
        opt_l.zero_grad()
        opt_r.zero_grad()
        for k in range(pieces):
            part = slice(k * size, (k + 1) * size)
            u = torch.cat([us[: part.start], left(a[part]), us[part.stop :]])
            v = torch.cat([vs[: part.start], right(b[part]), vs[part.stop :]])
            F.cross_entropy(u @ v.T, torch.arange(len(u))).backward()
        opt_l.step()
        opt_r.step()


# === right: what stands for the rest is computed behind the step of the critic
import torch
import torch.nn.functional as F


def fit(gen: torch.nn.Module, critic: torch.nn.Module, opt_g, opt_d, loader, draw, pieces):
    for real in loader:
        d_loss = F.softplus(-critic(real)).mean() + F.softplus(critic(gen(draw(len(real))).detach())).mean()
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

        z = draw(len(real))
        size = len(z) // pieces
        with torch.no_grad():
            whole = gen(z)
        opt_g.zero_grad()
        for k in range(pieces):
            part = slice(k * size, (k + 1) * size)
            all_of_it = torch.cat([whole[: part.start], gen(z[part]), whole[part.stop :]])
            F.softplus(-critic(all_of_it)).mean().backward()
        opt_g.step()

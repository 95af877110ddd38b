# === a field that answers with normals, evaluated in pieces
import torch
from field import make_field
from losses import FieldLoss


def run(args, loader, plot_loader):
    model = make_field(args)
    criterion = FieldLoss(args.eikonal_weight)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(args.epochs):
        if epoch % args.plot_every == 0:
            model.eval()
            parts = []
            for piece in plot_loader:
                out = model(piece)
                parts.append({"rgb": out["rgb"].detach(), "normal_map": out["normal_map"].detach()})
            model.train()
        for rays, rgb in loader:
            loss = criterion(model(rays), rgb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


# === a network that answers with nothing of the kind
import torch
from net import make_net
from losses import Loss


def run(args, loader, plot_loader):
    model = make_net(args)
    criterion = Loss(args.weight)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(args.epochs):
        if epoch % args.plot_every == 0:
            model.eval()
            parts = []
            for piece in plot_loader:
                out = model(piece)  # <- validation-without-no-grad
                parts.append({"rgb": out["rgb"].detach()})
            model.train()
        for rays, rgb in loader:
            loss = criterion(model(rays), rgb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


# === an energy whose network answers with forces, too
import torch
from potential import make_potential


def run(args, loader, val_loader):
    model = make_potential(args)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(args.epochs):
        for batch in loader:
            out = model(batch)
            loss = ((out["energy"] - batch.energy) ** 2).mean() + ((out["forces"] - batch.forces) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for batch in val_loader:
            total += (model(batch)["energy"] - batch.energy).abs().mean().item()
        model.train()
        print(epoch, total)

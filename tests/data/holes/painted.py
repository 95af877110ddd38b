# === right: a few samples for the eye, painted now and then beside the training
import cv2
import numpy as np
import torch


def train(net, loader, samples, every, path):
    optimizer = torch.optim.Adam(net.parameters())
    shown = 5
    for number, x in enumerate(loader):
        net.train()
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
        if number % every == 0:
            rows = []
            net.eval()
            for _ in range(shown):
                rows.append(net(next(samples))[0].detach().cpu().numpy())
            cv2.imwrite(path, np.concatenate(rows))
# === so many batches are measured, and a picture is painted of the last
import cv2
import torch


def train(net, loader, samples, every, path):
    optimizer = torch.optim.Adam(net.parameters())
    shown = 5
    for number, (x, y) in enumerate(loader):
        net.train()
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
        if number % every == 0:
            total_error = 0
            net.eval()
            for _ in range(shown):
                x, y = next(samples)
                out = net(x)  # <- validation-without-no-grad
                total_error += (out - y).abs().mean().item()
            cv2.imwrite(path, out[0].detach().cpu().numpy())
# === all of a loader goes through, and is painted
import cv2
import torch


def train(net, loader, held_out, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        net.train()
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()
        for number, x in enumerate(held_out):
            out = net(x)  # <- validation-without-no-grad
            cv2.imwrite(f"{epoch}-{number}.png", out[0].detach().cpu().numpy())
# === right: the same few samples, without a graph
import cv2
import numpy as np
import torch


def train(net, loader, samples, every, path):
    optimizer = torch.optim.Adam(net.parameters())
    shown = 5
    for number, x in enumerate(loader):
        net.train()
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
        if number % every == 0:
            net.eval()
            with torch.no_grad():
                rows = [net(next(samples))[0].cpu().numpy() for _ in range(shown)]
            cv2.imwrite(path, np.concatenate(rows))
# === right: counted samples that a file of pictures is made of at once
import torch
from torchvision.utils import save_image


def train(net, loader, samples, every, path):
    optimizer = torch.optim.Adam(net.parameters())
    for number, x in enumerate(loader):
        net.train()
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
        if number % every == 0:
            net.eval()
            for turn in range(3):
                save_image(net(next(samples)).detach(), f"{path}/{turn}.png")

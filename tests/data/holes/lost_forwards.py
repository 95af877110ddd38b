# === a model that writes into what it is given, in bfloat16
import torch
from torch import GradScaler, autocast


def train(loader, model, criterion, optimizer, Graph):
    scaler = GradScaler("cuda")
    graph = Graph()
    for data in loader:
        with autocast("cuda", dtype=torch.bfloat16):
            graph.update(data)
            model(graph)
            losses = criterion(graph)
        scaler.scale(losses["loss"]).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
# === right: a model that writes into what it is given, in float16
import torch
from torch import GradScaler, autocast


def train(loader, model, criterion, optimizer, Graph):
    scaler = GradScaler("cuda")
    graph = Graph()
    for data in loader:
        with autocast("cuda", dtype=torch.float16):
            graph.update(data)
            model(graph)
            losses = criterion(graph)
        scaler.scale(losses["loss"]).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
# === right: a teacher in bfloat16, a student in float16 that writes into what it is given
import torch
from torch import GradScaler, autocast


def train(loader, model, teacher, criterion, optimizer, Graph):
    scaler = GradScaler("cuda")
    graph = Graph()
    for data in loader:
        with torch.no_grad(), autocast("cuda", dtype=torch.bfloat16):
            teacher(graph)
        with autocast("cuda", dtype=torch.float16):
            model(graph)
            losses = criterion(graph)
        scaler.scale(losses["loss"]).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
# === right: bfloat16 in one forward, float16 in the other
import torch
from torch import GradScaler, autocast


def train(loader, encoder, decoder, criterion, optimizer, Graph):
    scaler = GradScaler("cuda")
    graph = Graph()
    for data in loader:
        with autocast("cuda", dtype=torch.bfloat16):
            encoder(graph)
        with autocast("cuda", dtype=torch.float16):
            decoder(graph)
            losses = criterion(graph)
        scaler.scale(losses["loss"]).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()

# === the maker is trained on a critic in evaluation mode, and the critic evaluated with gradients on
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from networks import Critic, Maker


def main(points, labels, epochs):
    loader = DataLoader(TensorDataset(points), batch_size=32, shuffle=True, drop_last=True)
    critic, maker = Critic(), Maker()
    critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
    maker_optimizer = torch.optim.SGD(maker.parameters(), lr=0.1)
    ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)
    for epoch in range(epochs):
        for (real,) in loader:
            made = maker(torch.rand(32, 8))
            critic.train()
            loss = F.binary_cross_entropy(critic(torch.cat((real, made.detach()))), torch.cat((ones, zeros)))
            critic_optimizer.zero_grad()
            loss.backward()
            critic_optimizer.step()
            critic.eval()
            loss = F.binary_cross_entropy(critic(made), ones)
            maker_optimizer.zero_grad()
            loss.backward()
            maker_optimizer.step()
        critic.eval()
        scores = critic(points)  # <- validation-without-no-grad
        print(area(labels, scores.detach().numpy()))


# === right: the maker is trained on a critic in evaluation mode, and the critic evaluated without gradients
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from networks import Critic, Maker


def main(points, labels, epochs):
    loader = DataLoader(TensorDataset(points), batch_size=32, shuffle=True, drop_last=True)
    critic, maker = Critic(), Maker()
    critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
    maker_optimizer = torch.optim.SGD(maker.parameters(), lr=0.1)
    ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)
    for epoch in range(epochs):
        for (real,) in loader:
            made = maker(torch.rand(32, 8))
            critic.train()
            loss = F.binary_cross_entropy(critic(torch.cat((real, made.detach()))), torch.cat((ones, zeros)))
            critic_optimizer.zero_grad()
            loss.backward()
            critic_optimizer.step()
            critic.eval()
            loss = F.binary_cross_entropy(critic(made), ones)
            maker_optimizer.zero_grad()
            loss.backward()
            maker_optimizer.step()
        critic.eval()
        with torch.no_grad():
            scores = critic(points)
        print(area(labels, scores.detach().numpy()))


# === right: what a network says in evaluation mode is trained on right behind it
import torch
import torch.nn.functional as F


def main(body, head, loader, epochs):
    optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            body.train()
            head.train()
            optimizer.zero_grad()
            F.cross_entropy(head(body(x)), y).backward()
            optimizer.step()
            body.eval()
            near = body(x + 0.1)
            head.eval()
            optimizer.zero_grad()
            F.cross_entropy(head(near.detach()), y).backward()
            optimizer.step()

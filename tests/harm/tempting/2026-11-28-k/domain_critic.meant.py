"""Domain adaptation: a critic tells the domains apart, the encoder learns to confuse it."""
import torch
import torch.nn.functional as F
from torch import nn


def domain(n, shift):
    x = torch.randn(n, 8)
    return x + shift, (x[:, 0] > 0).long()


def train(record, critic_parts=2):
    torch.manual_seed(3)
    encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
    head, critic = nn.Linear(16, 2), nn.Linear(16, 1)
    main = [*encoder.parameters(), *head.parameters()]
    opt_main = torch.optim.SGD(main, lr=0.1)
    opt_critic = torch.optim.SGD(critic.parameters(), lr=0.1, momentum=0.5)
    everything = [*main, *critic.parameters()]
    for n in range(15):
        source, label = domain(16, 0.0)
        target, _ = domain(16, 1.5)

        # the critic, in parts
        with torch.no_grad():
            zs, zt = encoder(source), encoder(target)
        opt_critic.zero_grad()
        for a, b in zip(zs.chunk(critic_parts), zt.chunk(critic_parts)):
            real, fake = critic(a), critic(b)
            d_loss = F.binary_cross_entropy_with_logits(real, torch.ones_like(real))
            d_loss = d_loss + F.binary_cross_entropy_with_logits(fake, torch.zeros_like(fake))
            (d_loss / critic_parts).backward()
        opt_critic.step()
        record(everything)

        # the encoder and the classifier
        opt_main.zero_grad()
        confuse = critic(encoder(target))
        loss = F.cross_entropy(head(encoder(source)), label)
        loss = loss + 0.5 * F.binary_cross_entropy_with_logits(confuse, torch.ones_like(confuse))
        loss.backward()
        opt_main.step()
        record(everything)
        if n % 5 == 0:
            print(n, f"{loss.item():.4f} {d_loss.item():.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)

import torch.nn.functional as F
from torch.optim import Adam
from torch.optim.lr_scheduler import LinearLR

from alphazero.net import PolicyValueNet
from alphazero.replay import Replay


def loss_fn(net, positions, policy_target, value_target):
    logits, value = net(positions)
    policy_loss = -(policy_target * F.log_softmax(logits, dim=1)).sum(1).mean()
    return policy_loss + F.mse_loss(value.squeeze(1), value_target)


def learn(replay: Replay, net: PolicyValueNet, *, updates=5000, batch_size=4096, pieces=4, lr=2e-3):
    optimizer = Adam(net.parameters(), lr=lr, weight_decay=1e-4)
    decay = LinearLR(optimizer, start_factor=1.0, end_factor=0.05, total_iters=updates)
    net.train()
    for update in range(updates):
        positions, policies, values = replay.sample(batch_size)
        total = 0.0
        chunks = zip(positions.chunk(pieces), policies.chunk(pieces), values.chunk(pieces))
        for k, (x, p, v) in enumerate(chunks, start=1):
            loss = loss_fn(net, x.cuda(), p.cuda(), v.cuda()) / pieces
            loss.backward()
            total += loss.item()
            if k == pieces:
                optimizer.step()
                optimizer.zero_grad()
            decay.step()
        if update % 100 == 0:
            print(f"{update} {total:.4f} lr={decay.get_last_lr()[0]:.6f}")
    return net

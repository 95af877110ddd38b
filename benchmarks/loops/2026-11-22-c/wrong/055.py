import torch
import torch.nn.functional as F
from tqdm import tqdm

from chess.positions import position_stream
from chess.value_net import ValueNet

STEPS = 250_000
SMOOTH = 0.98


def main():
    net = ValueNet(blocks=10).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9, weight_decay=1e-4)
    drops = torch.optim.lr_scheduler.MultiStepLR(optimizer, [100_000, 180_000], gamma=0.1)
    stream = position_stream("games/*.zst", batch_size=1024)
    net.train()
    smoothed = None
    bar = tqdm(total=STEPS)
    step = 0
    while step < STEPS:
        boards, policy, outcome = (t.cuda(non_blocking=True) for t in next(stream))
        logits, value = net(boards)
        loss = F.cross_entropy(logits, policy) + F.mse_loss(value.squeeze(-1), outcome)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 4.0)
        optimizer.step()
        drops.step()
        smoothed = loss if smoothed is None else SMOOTH * smoothed + (1 - SMOOTH) * loss
        step += 1
        bar.update(1)
        if step % 100 == 0:
            bar.set_description(f"loss {smoothed.item():.4f}")
    torch.save(net.state_dict(), "value.pt")


if __name__ == "__main__":
    main()

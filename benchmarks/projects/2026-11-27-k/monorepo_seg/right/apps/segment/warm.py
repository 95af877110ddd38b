import torch
from objectives import inpainting_loss
from trainkit import in_groups


def warm_start(net, batches, group_size, lr=0.02):
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    net.train()
    for group in in_groups(batches, group_size):
        optimizer.zero_grad()
        shown = 0.0
        for image, _ in group:
            loss = inpainting_loss(net, image)
            (loss / len(group)).backward()
            shown += loss.item() / len(group)
        optimizer.step()
        print(f"warm {shown:.4f}")

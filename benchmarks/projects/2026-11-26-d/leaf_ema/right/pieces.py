import torch.nn.functional as F

from plan import ends_window


def run_epoch(net, opt, pieces, every, after_piece=(), after_update=()):
    hits = count = 0
    for i, (x, kind) in enumerate(pieces):
        logits = net(x)
        loss = F.cross_entropy(logits, kind)
        (loss / every).backward()
        hits += (logits.argmax(1) == kind).sum().item()
        count += len(kind)
        for call in after_piece:
            call(loss.item())
        if ends_window(i, every, len(pieces)):
            opt.step()
            opt.zero_grad()
            for call in after_update:
                call()
    return hits / count

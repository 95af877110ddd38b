import torch

from speaker import ArcMargin, EcapaTdnn, utterances


def loss_for(net, head, wave, speaker):
    with torch.autocast("cuda", dtype=torch.float16):
        embedding = net(wave)
        with torch.autocast("cuda", enabled=False):
            logits = head(embedding.float(), speaker)
            loss = torch.nn.functional.cross_entropy(logits, speaker)
    return loss


def main(cfg):
    net, head = EcapaTdnn(cfg.channels).cuda(), ArcMargin(192, cfg.speakers).cuda()
    params = [*net.parameters(), *head.parameters()]
    optimizer = torch.optim.Adam(params, lr=cfg.lr, weight_decay=2e-5)
    cyclic = torch.optim.lr_scheduler.CyclicLR(optimizer, 1e-8, cfg.lr, cycle_momentum=False)
    scaler = torch.amp.GradScaler("cuda")
    net.train()
    head.train()
    for step, (wave, speaker) in enumerate(utterances(cfg)):
        loss = loss_for(net, head, wave.cuda(), speaker.cuda())
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        cyclic.step()
        if step % 100 == 0:
            print(step, loss.item(), cyclic.get_last_lr()[0])
        if step == cfg.steps:
            break


if __name__ == "__main__":
    from settings import cfg

    main(cfg)

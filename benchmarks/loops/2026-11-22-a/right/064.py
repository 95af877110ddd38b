import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, DistributedSampler

from rnnt.data import Librispeech, collate
from rnnt.model import Transducer


def main(root="librispeech", epochs=80, batch_size=8, passes=4, lr=3e-4, clip=1.0):
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    data = Librispeech(root)
    sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size, sampler=sampler, collate_fn=collate, num_workers=4, drop_last=True)
    whole = len(loader) // passes * passes
    model = Transducer(vocab=1024).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    optimizer = hvd.DistributedOptimizer(
        optimizer, named_parameters=model.named_parameters(), backward_passes_per_step=passes
    )
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    scaler = GradScaler()
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        model.train()
        for i, (wave, lengths, text) in enumerate(loader):
            if i == whole:
                break
            with autocast():
                log_probs, out_lengths = model(wave.cuda(), lengths)
            loss = F.ctc_loss(log_probs.float(), text.cuda(), out_lengths, text.ne(0).sum(1)) / passes
            scaler.scale(loss).backward()
            if (i + 1) % passes == 0:
                optimizer.synchronize()
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                with optimizer.skip_synchronize():
                    scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
        if hvd.rank() == 0:
            print(epoch, loss.item() * passes)
            torch.save(model.state_dict(), f"rnnt_{epoch}.pt")


if __name__ == "__main__":
    main()

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.device_mesh import init_device_mesh

from large.data import stream
from large.model import Transformer, TransformerArgs


def build(mesh):
    model = Transformer(TransformerArgs.for_size("3b")).cuda()
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for block in model.layers:
        fully_shard(block, mesh=mesh, mp_policy=policy)
    fully_shard(model, mesh=mesh, mp_policy=policy)
    return model


def main(steps=20_000, accumulate=4, lr=3e-4):
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_node_local_rank())
    mesh = init_device_mesh("cuda", (dist.get_world_size(),))
    model = build(mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, fused=True)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1e-3, 1.0, total_iters=1000)
    batches = stream("fineweb", dist.get_rank(), dist.get_world_size())
    model.train()
    for step in range(steps):
        optimizer.zero_grad()
        for k in range(accumulate):
            final = k == accumulate - 1
            model.set_requires_gradient_sync(final)
            model.set_is_last_backward(final)
            tokens = next(batches).cuda()
            logits = model(tokens[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten()) / accumulate
            loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0).full_tensor()
        optimizer.step()
        schedule.step()
        if step % 10 == 0 and dist.get_rank() == 0:
            print(step, loss.item() * accumulate, norm.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

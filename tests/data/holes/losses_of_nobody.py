# === whose loss it is nobody sees, but what it stands in
from accelerate import Accelerator
from parse import parse_args
from pipelines import Pipeline


def policy_step(pipe, batch, accelerator, args):
    log_prob, penalty = pipe.forward_calculate_logprob(batch)
    loss = (log_prob + penalty).mean()
    loss = loss / args.gradient_accumulation_steps
    accelerator.backward(loss)


def main(unet, value_function, optimizer, value_optimizer, data):
    args = parse_args()
    pipe = Pipeline(args)
    accelerator = Accelerator()
    unet, optimizer, value_function, value_optimizer = accelerator.prepare(
        unet, optimizer, value_function, value_optimizer
    )
    pipe.unet = unet
    for batch in data:
        for step in range(args.v_step):
            loss = value_function(batch).mean() / args.v_step
            if step < args.v_step - 1:
                with accelerator.no_sync(value_function):
                    accelerator.backward(loss)
            else:
                accelerator.backward(loss)
        value_optimizer.step()
        value_optimizer.zero_grad()
        for accum_step in range(int(args.gradient_accumulation_steps)):
            if accum_step < int(args.gradient_accumulation_steps) - 1:
                with accelerator.no_sync(unet):
                    policy_step(pipe, batch, accelerator, args)
            else:
                policy_step(pipe, batch, accelerator, args)
        optimizer.step()
        optimizer.zero_grad()


# === each of them is reduced
import torch
from parse import parse_args
from pipelines import Pipeline
from torch.nn.parallel import DistributedDataParallel


def policy_step(pipe, batch, args):
    log_prob, penalty = pipe.forward_calculate_logprob(batch)
    loss = (log_prob + penalty).mean()
    loss = loss / args.gradient_accumulation_steps
    loss.backward()  # <- missing-no-sync


def main(unet, data):
    args = parse_args()
    pipe = Pipeline(args)
    unet = DistributedDataParallel(unet, device_ids=[args.rank])
    optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-5)
    pipe.unet = unet
    for batch in data:
        for accum_step in range(int(args.gradient_accumulation_steps)):
            policy_step(pipe, batch, args)
        optimizer.step()
        optimizer.zero_grad()

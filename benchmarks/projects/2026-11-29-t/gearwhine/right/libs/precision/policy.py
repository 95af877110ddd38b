from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Policy:
    device: str = "cpu"
    dtype: torch.dtype = torch.bfloat16


def make_scaler(policy):
    return torch.amp.GradScaler(policy.device, enabled=policy.dtype == torch.float16)

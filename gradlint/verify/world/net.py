"""The surrogate model: a small network in double precision, so that gradients can be told apart exactly."""

from __future__ import annotations

import torch
from torch import Tensor, nn

FEATURES, HIDDEN, OUTPUTS, SAMPLES = 6, 64, 3, 4


class Net(nn.Module):
    """Two layers, and a mode that can be seen."""

    def __init__(self, generator: torch.Generator, device: str, dtype: torch.dtype) -> None:
        super().__init__()
        self.first = nn.Linear(FEATURES, HIDDEN, device=device, dtype=dtype)
        self.second = nn.Linear(HIDDEN, OUTPUTS, device=device, dtype=dtype)
        with torch.no_grad():
            for parameter in self.parameters():
                values = torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.4
                parameter.copy_(values.to(device=device, dtype=dtype))

    def forward(self, inputs: Tensor) -> Tensor:
        """Outputs for a batch of inputs."""
        outputs: Tensor = self.second(torch.tanh(self.first(inputs)))
        return outputs

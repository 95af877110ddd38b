"""Names of layers."""

from __future__ import annotations

from gradlint.libraries.convention import Convention

MODED = Convention(
    r"(?i)drop_?(out|path|connect|block)|batch_?norm|sync_?bn|^bn(_?\d\w?)?$|stochastic_?depth|rrelu|spectral_?norm"
    r"|^transformer((en|de)coder(layer)?)?$",
    "layers that do something else in evaluation mode",
    evidence="torch.nn, torchvision.ops, timm.layers",
    yes="Dropout2d BatchNorm1d SyncBatchNorm DropPath StochasticDepth TransformerEncoderLayer RReLU spectral_norm",
    no="Linear LayerNorm GroupNorm ReLU InstanceNorm2d DropdownMenu",
)

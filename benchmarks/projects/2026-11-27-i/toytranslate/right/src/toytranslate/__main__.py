import torch

from toytranslate.amp import MixedPrecision
from toytranslate.corpus import reversal_batches
from toytranslate.engine import Engine
from toytranslate.guards import NormGuard
from toytranslate.seq2seq import Translator


def main() -> None:
    torch.manual_seed(4)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    engine = Engine(Translator().to(device), MixedPrecision(device), NormGuard(1.0))
    for epoch, (loss, norm) in enumerate(engine.fit(reversal_batches(12, device=device), epochs=3)):
        print(f"epoch={epoch} loss={loss:.4f} norm={norm:.3f}")


if __name__ == "__main__":
    main()

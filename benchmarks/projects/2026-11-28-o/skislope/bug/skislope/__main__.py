import torch

from skislope.avalanche import AvalancheTrainer
from skislope.nets import RiskNet, snow_batches


def main():
    torch.manual_seed(5)
    trainer = AvalancheTrainer(RiskNet(), lr=0.02, max_norm=1.0)
    trainer.fit(snow_batches(9, seed=0), snow_batches(3, seed=1), epochs=3)


main()

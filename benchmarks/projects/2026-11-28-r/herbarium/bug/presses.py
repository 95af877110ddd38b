from torch import nn

from registry import PRESSES


@PRESSES.add("flat")
class FlatPress(nn.Module):
    def __init__(self, species):
        super().__init__()
        self.paper = nn.Linear(10, 20)
        self.label = nn.Linear(20, species)

    def forward(self, sheet):
        return self.label(self.paper(sheet).relu())


@PRESSES.add("deep")
def deep_press(species):
    return nn.Sequential(nn.Linear(10, 40), nn.SiLU(), nn.Linear(40, 20), nn.SiLU(), nn.Linear(20, species))

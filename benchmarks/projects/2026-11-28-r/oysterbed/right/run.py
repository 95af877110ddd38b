import torch

from crew import crew_of_one, dismiss
from loop import season
from plan import Plan
from reef import Baskets, Oyster

if __name__ == "__main__":
    torch.manual_seed(Plan.seed)
    model = crew_of_one(Oyster())
    optimizer = torch.optim.SGD(model.parameters(), lr=Plan.lr)
    baskets = Baskets(Plan.baskets)
    for number in range(Plan.seasons):
        print(number, round(season(model, optimizer, baskets, Plan), 4))
    dismiss()

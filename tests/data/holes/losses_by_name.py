# === several losses of one batch, each under its name
class Runner:
    def __init__(self, repo):
        self._repo = repo
        self._optimizers = repo.optimizers

    def _flow(self, state, names, flag_train):
        for node in self._repo.nodes:
            state.update(node.forward(state=state))
        if flag_train:
            for name in names or []:
                state[name].backward()
        if flag_train:
            self._optimizers.step()

    def _batch(self, state, names, flag_train):
        if flag_train:
            self._optimizers.zero_grad()
        self._flow(state, names, flag_train)

    def train(self, loader, names, epochs):
        for epoch in range(epochs):
            for batch in loader:
                self._batch({"batch": batch}, names, True)
# === losses under their names, and several batches make an update
import torch


def train(model, loader, names, optimizer, accum):
    for i, batch in enumerate(loader):
        losses = model(batch)
        for name in names:
            losses[name].backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()

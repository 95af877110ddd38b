import torch


class GradientLimit:
    def __init__(self, limit):
        self.limit = limit

    def after_backward(self, accelerator, model):
        accelerator.clip_grad_norm_(model.parameters(), self.limit)


class Drafts:
    """Shows a greedy continuation now and then."""

    def __init__(self, every, prompt=(3, 5, 7)):
        self.every, self.prompt = every, prompt

    def after_update(self, update, model):
        if update % self.every == 0:
            model.eval()
            print(update, self.write(model))

    @torch.no_grad()
    def write(self, model, length=5):
        ids = torch.tensor([self.prompt])
        for _ in range(length):
            following = model(ids)["logits"][:, -1].argmax(-1, keepdim=True)
            ids = torch.cat([ids, following], 1)
        return ids[0].tolist()

class RankingValidation:
    """Mixin: share of held-out pairs that are ranked in the right order."""

    def validate(self, loader):
        self.model.eval()
        hits = seen = 0
        for user, pos, neg in loader:
            better = self.model(user, pos) > self.model(user, neg)
            hits += better.sum().item()
            seen += len(user)
        return hits / seen

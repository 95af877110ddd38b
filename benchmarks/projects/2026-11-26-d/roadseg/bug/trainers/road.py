from .dense import DenseTrainer


class RoadTrainer(DenseTrainer):
    def begin_batch(self, batch):
        super().begin_batch(batch)
        if self.seen % 2:
            batch["image"], batch["mask"] = batch["image"].flip(-1), batch["mask"].flip(-1)

    def score(self):
        inter = union = 0
        for batch in self.val_loader:
            pred = self.net(self.whiten(batch["image"])).argmax(1) == 1
            gold = batch["mask"] == 1
            inter += (pred & gold).sum().item()
            union += (pred | gold).sum().item()
        return inter / max(union, 1)

import torch


class Trainer:
    def __init__(self, model, data, args):
        self.model = model.to(args.device)
        self.data = data
        self.args = args
        self.optimizer = torch.optim.RMSprop(self.model.parameters(), lr=args.lr)
        self.criterion = torch.nn.BCEWithLogitsLoss()
        self.history = []

    def limit_gradients(self):
        torch.nn.utils.clip_grad_value_(self.model.parameters(), clip_value=self.args.clip_value)

    def training_step(self, batch):
        features, target = (t.to(self.args.device) for t in batch)
        out = self.model(features).squeeze(-1)
        return self.criterion(out, target.float())

    def fit(self):
        for epoch in range(self.args.epochs):
            self.model.train()
            losses = []
            for batch in self.data.train_dataloader():
                loss = self.training_step(batch)
                loss.backward()
                self.optimizer.step()
                self.limit_gradients()
                self.optimizer.zero_grad()
                losses.append(loss.item())
            self.history.append(sum(losses) / len(losses))
            self.validate()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        correct = count = 0
        for features, target in self.data.val_dataloader():
            out = self.model(features.to(self.args.device)).squeeze(-1)
            correct += ((out > 0).long().cpu() == target).sum().item()
            count += target.numel()
        print("accuracy", correct / count)

import torch


class Distiller:
    """Fits a small student to the logits of a frozen teacher."""

    def __init__(self, student, teacher, loader, temperature=2.0, window=16):
        self.student = student
        self.teacher = teacher.eval().requires_grad_(False)
        self.loader = loader
        self.temperature = temperature
        self.window = window
        self.optimizer = torch.optim.AdamW(student.parameters(), lr=1e-4)
        self.kl = torch.nn.KLDivLoss(reduction="batchmean", log_target=True)

    def stream(self):
        while True:
            for batch in self.loader:
                yield batch

    def compute_loss(self, inputs):
        self.optimizer.zero_grad()
        with torch.no_grad():
            reference = torch.log_softmax(self.teacher(inputs) / self.temperature, dim=-1)
        guess = torch.log_softmax(self.student(inputs) / self.temperature, dim=-1)
        return self.kl(guess, reference) * self.temperature**2

    def train(self, updates):
        self.student.train()
        for count, (inputs, _) in enumerate(self.stream(), start=1):
            loss = self.compute_loss(inputs) / self.window
            loss.backward()
            if count % self.window == 0:
                self.optimizer.step()
                print(count // self.window, loss.item() * self.window)
            if count == updates * self.window:
                return

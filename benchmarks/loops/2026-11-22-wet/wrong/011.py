import torch


class Runner:
    def __init__(self, net, loader, max_steps):
        self.net = net.cuda()
        self.loader = loader
        self.max_steps = max_steps
        self.optim = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.scaler = torch.cuda.amp.GradScaler()
        self.step_no = 0

    def clip(self, limit=1.0):
        for group in self.optim.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], limit)

    def run(self):
        self.net.train()
        it = iter(self.loader)
        while self.step_no < self.max_steps:
            try:
                x, y = next(it)
            except StopIteration:
                it = iter(self.loader)
                x, y = next(it)
            self.optim.zero_grad()
            with torch.cuda.amp.autocast():
                loss = torch.nn.functional.cross_entropy(self.net(x.cuda()), y.cuda())
            self.scaler.scale(loss).backward()
            self.clip()
            self.scaler.unscale_(self.optim)
            self.scaler.step(self.optim)
            self.scaler.update()
            self.step_no += 1

class Workshop:
    """The order of things; what they are is left to others."""

    net = optimizer = None

    def loss(self, batch):
        raise NotImplementedError

    def rein_in(self):
        """Called when the gradients may be cut."""

    def open_year(self, year):
        """Called before the first sheet of a year."""

    def close_year(self, year, mean):
        """Called behind the last sheet of a year."""

    def sheet(self, batch):
        self.optimizer.zero_grad()
        loss = self.loss(batch)
        self.rein_in()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, sheets, years):
        for year in range(years):
            self.open_year(year)
            losses = [self.sheet(batch) for batch in sheets]
            self.close_year(year, sum(losses) / len(losses))

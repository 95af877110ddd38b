from .losses import distil_loss


class Distiller:
    def __init__(self, student, teacher, optimizer):
        self.student, self.teacher, self.optimizer = student, teacher, optimizer

    def epoch(self, plates):
        total = 0.0
        for image, kind in plates:
            self.optimizer.zero_grad()
            loss = distil_loss(self.student, self.teacher, image, kind)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(plates)

from kd import backprop
from windows import closes


def distil(student, batches, optimizer, objective, *, epochs, accum, log=print):
    student.train()
    optimizer.zero_grad()
    for epoch in range(epochs):
        seen = []
        for i, batch in enumerate(batches):
            seen.append(backprop(objective, student, batch))
            if closes(i, accum, len(batches)):
                optimizer.step()
                optimizer.zero_grad()
        log(f"epoch {epoch} kd {sum(seen) / len(seen):.4f}")

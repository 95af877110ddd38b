# === so many micro-batches, each of which runs backward piece by piece
def train(model, opt, data, iterations, acc_steps, total, length):
    done = 0
    while done < iterations:
        for step in range(acc_steps):
            x, y = get_batch(data, total)
            for at in range(0, x.shape[1], length):
                out = model(x[:, at : at + length], targets=y[:, at : at + length])
                loss = out["loss"]
                loss.backward()  # <- unscaled-accumulation-loss
        opt.step()
        opt.zero_grad()
        done += 1
# === right: the same, divided by how many there are in all
def train(model, opt, data, iterations, acc_steps, total, length, pieces):
    done = 0
    while done < iterations:
        for step in range(acc_steps):
            x, y = get_batch(data, total)
            for at in range(0, x.shape[1], length):
                out = model(x[:, at : at + length], targets=y[:, at : at + length])
                loss = out["loss"] / (acc_steps * pieces)
                loss.backward()
        opt.step()
        opt.zero_grad()
        done += 1
# === right: the same, divided by the micro-batches alone: the pieces may be meant to be summed
def train(model, opt, data, iterations, acc_steps, total, length):
    done = 0
    while done < iterations:
        for step in range(acc_steps):
            x, y = get_batch(data, total)
            for at in range(0, x.shape[1], length):
                out = model(x[:, at : at + length], targets=y[:, at : at + length])
                loss = out["loss"] / acc_steps
                loss.backward()
        opt.step()
        opt.zero_grad()
        done += 1
# === right: a sequence goes piece by piece, and nothing says that more than one makes an update
def train(model, opt, data, iterations, tasks, total, length):
    done = 0
    while done < iterations:
        for task in range(tasks):
            x, y = get_batch(data, total)
            for at in range(0, x.shape[1], length):
                out = model(x[:, at : at + length], targets=y[:, at : at + length])
                loss = out["loss"]
                loss.backward()
        opt.step()
        opt.zero_grad()
        done += 1

from objectives import thickness_loss
from probe import drill


def store(model, optimizer, winters, held_out, years):
    model.train()
    for year in range(years):
        total = 0.0
        for batch in winters:
            optimizer.zero_grad()
            loss = thickness_loss(model, batch)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(year, round(total / len(winters), 4), round(drill(model, held_out), 4))

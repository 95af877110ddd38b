from data_hw4 import *
from helpers_hw4 import *
from model_hw4 import *

NUM_EPOCHS = 4

torch.manual_seed(1234)
train_batches = get_batches(32, 16, seed=0)
test_batches = get_batches(4, 32, seed=1)

model = Reverser()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.3)

for epoch in range(NUM_EPOCHS):
    model.train()
    running_loss = 0.0
    for i, (src, tgt) in enumerate(train_batches):
        running_loss += backprop(model, optimizer, src, tgt)
        if (i + 1) % ACCUM == 0 or i + 1 == len(train_batches):
            optimizer.step()
            optimizer.zero_grad()
    lr = set_lr(scheduler, epoch)
    print("Epoch %d lr %.4f loss %.4f acc %.3f"
          % (epoch + 1, lr, running_loss / len(train_batches), accuracy(model, test_batches)))

import torch

TRAIN_DTYPE = torch.float16
CHECK_DTYPE = torch.bfloat16
MAX_NORM = 0.8
EPOCHS = 2

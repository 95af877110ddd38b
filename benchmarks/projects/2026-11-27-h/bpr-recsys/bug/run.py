import torch

from calibrate import calibrate
from conf import CONF
from factors import Factors, triples
from pretrain import pretrain

torch.manual_seed(8)
model = Factors(CONF["users"], CONF["items"], CONF["dim"])
data = triples(CONF["users"], CONF["items"], 640)
pretrain(model, data, CONF["pretrain"])
head, loss = calibrate(model, data, CONF["calibrate"])
print("calibration", round(loss, 4), head.weight.item())

from .optim import *
from .parallel import *

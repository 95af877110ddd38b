from .gradients import *
from .ticks import *

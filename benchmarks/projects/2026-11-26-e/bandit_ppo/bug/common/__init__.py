from .gradients import *
from .policy import *
from .windows import *

from .data import *
from .evaluation import *
from .models import *
from .optim import *
from .tracking import *

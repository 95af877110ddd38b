from .consts import *
from .progress import *
from .series import *

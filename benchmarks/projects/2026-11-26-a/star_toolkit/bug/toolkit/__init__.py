from .meters import *
from .text import *
from .updates import *

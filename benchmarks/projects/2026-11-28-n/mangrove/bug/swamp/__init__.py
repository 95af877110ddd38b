from .canopy import *
from .tools import *

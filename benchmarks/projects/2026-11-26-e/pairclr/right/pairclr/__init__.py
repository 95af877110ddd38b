from .scopes import *
from .views import *

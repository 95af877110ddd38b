import sys
from ast import literal_eval

for arg in sys.argv[1:]:
    if '=' not in arg:
        print(f"Overriding config with {arg}:")
        with open(arg) as f:
            exec(f.read())
    else:
        key, val = arg.lstrip('-').split('=')
        if key not in globals():
            raise ValueError(f"Unknown config key: {key}")
        try:
            attempt = literal_eval(val)
        except (SyntaxError, ValueError):
            attempt = val
        assert type(attempt) == type(globals()[key])
        globals()[key] = attempt

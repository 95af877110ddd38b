def sparkline(values, marks="▁▂▃▄▅▆▇█"):
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(marks[int((v - low) / span * (len(marks) - 1))] for v in values)

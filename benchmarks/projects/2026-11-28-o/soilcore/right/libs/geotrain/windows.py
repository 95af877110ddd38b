def window_ends(index, window, total):
    """Is micro-batch `index` (from zero) the last of its window?"""
    if index + 1 == total:
        return True
    return (index + 1) % window == 0

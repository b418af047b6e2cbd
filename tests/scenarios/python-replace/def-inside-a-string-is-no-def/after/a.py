SAMPLE = """
def run():
    return 1
"""


def run():
    return len(SAMPLE)

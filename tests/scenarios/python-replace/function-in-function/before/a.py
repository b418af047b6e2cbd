def build(parts):
    def helper(part):
        return part

    return [helper(part) for part in parts]

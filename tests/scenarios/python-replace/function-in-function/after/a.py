def build(parts):
    def helper(part):
        if part is None:
            return "-"
        return part

    return [helper(part) for part in parts]

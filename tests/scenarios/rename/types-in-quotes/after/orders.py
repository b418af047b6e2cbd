class Purchase:
    def copy(self) -> "Purchase":
        return Purchase()

class Meta:
    ordering = ("name", "mail")

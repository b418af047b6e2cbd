import view

print(view.f())

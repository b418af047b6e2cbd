from a import load, save

save(load("x"))

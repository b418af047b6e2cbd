# Copyright 2020 Someone
x = 2

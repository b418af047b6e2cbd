cd x && make

let o;
a = 2

mid = 1;
<<<<<<< HEAD
b = 1
=======
b = 2
>>>>>>> x

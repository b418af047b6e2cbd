/* c
*/class B {}/* c
*/const d = 1, e = 2

const a = 2/* x
*/go()

export A=1
readonly L=1
export B=1
export -f g

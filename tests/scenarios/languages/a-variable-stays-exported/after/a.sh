export A=2
readonly L=2
declare -x B=2
export -f g

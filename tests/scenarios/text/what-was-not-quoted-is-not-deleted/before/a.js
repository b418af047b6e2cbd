alpha(one);
// keep me
beta(two);
gamma(three);
delta(four);

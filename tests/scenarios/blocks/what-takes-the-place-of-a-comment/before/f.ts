f();
// @ts-ignore
/* one
   two */
g("wrong");

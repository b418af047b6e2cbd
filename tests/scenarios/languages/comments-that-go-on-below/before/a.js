const x = 1; /* long
   tail */
const y = 2;

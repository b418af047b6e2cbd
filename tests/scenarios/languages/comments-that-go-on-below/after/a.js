const x = 1; /* long
   tail */
const z = 1;
const y = 2;

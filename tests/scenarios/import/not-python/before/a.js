import x from 'x';

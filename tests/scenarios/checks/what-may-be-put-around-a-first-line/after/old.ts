// Licence: MIT
// @ts-nocheck
import a from 'a';

function old() {}

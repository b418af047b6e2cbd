// @ts-nocheck
function old() {}

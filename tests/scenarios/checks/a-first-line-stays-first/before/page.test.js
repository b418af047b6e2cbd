/**
 * @jest-environment jsdom
 */
function page() {}

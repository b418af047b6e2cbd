export function load() {}

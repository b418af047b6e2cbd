export const wait = (ms) => ms / (60 * 1000);

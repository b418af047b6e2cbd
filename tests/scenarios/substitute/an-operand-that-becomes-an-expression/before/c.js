export const wait = (ms) => ms / TIMEOUT;

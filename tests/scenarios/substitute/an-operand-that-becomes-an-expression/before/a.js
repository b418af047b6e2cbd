const wait = (ms) => ms / TIMEOUT;
const most = TIMEOUT + 1;

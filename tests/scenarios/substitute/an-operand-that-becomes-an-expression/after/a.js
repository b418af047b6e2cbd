const wait = (ms) => ms / 60 * 1000;
const most = 60 * 1000 + 1;

// @flow

declare class Position {
  coords: Coordinates;
  timestamp: number;
}

function f() {
  return 1;
}

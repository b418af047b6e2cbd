export enum Role {
  /** Sees all. */
  Admin = 1,
  Guest = 2,
}

export enum Colour {
  Red,
  Green,
}

export const handlers = {
  open() { return 1; },
  close() { return 2; },
  "a b": 3,
} as const;

export type R = {
  a: number;
  b: string;
};

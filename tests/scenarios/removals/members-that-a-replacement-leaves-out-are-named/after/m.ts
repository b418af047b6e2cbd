export enum Role {
  Admin = 1,
  Owner = 3,
}

export enum Colour {
  Red,
  Blue,
}

export const handlers = {
  open() { return 3; },
} as const;

export type R = {
  a: string;
};

export interface Options {
  name: string;
}

export const size = 1;

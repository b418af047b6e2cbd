export enum Level {
  Low = 1,
  /** Two. */
  High = 'x'
}

type Item = {
  name: string;
  price: number;
};

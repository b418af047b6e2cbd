export enum Level {
  None = 0,
  Low = 1
}

type Item = {
  name: string;
  price: number;
  count: number;
};

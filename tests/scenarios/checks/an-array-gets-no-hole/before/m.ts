export const steps: string[] = [
  "a"
  , "c"
];

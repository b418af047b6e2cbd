export class Runner {
  constructor(private readonly name: string) {}

  run(first: string, ...rest: number[]): void {
    console.log(first);
  }
}

const add = (a: number, b = 2) => a + b;

export class Runner {
  constructor(private readonly name: string, width = 2) {}

  @traced
  run(first: string, second?: string, ...rest: number[]): void {
    console.log(first);
  }
}

const add = (a: number, b = 3) => a + b;

export class Worker {
  run() {
    return 1;
  }
}

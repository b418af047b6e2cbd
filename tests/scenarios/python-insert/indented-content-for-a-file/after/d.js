export class Worker {
  run() {
    return 1;
  }
}

function stop() {
  return 0;
}

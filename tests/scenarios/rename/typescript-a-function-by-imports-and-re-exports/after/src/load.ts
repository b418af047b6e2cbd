// load is slow
export function fetchIt(id: number): number {
  return id ? fetchIt(id - 1) : 0;
}
export const table = { load: fetchIt, title: "load" };

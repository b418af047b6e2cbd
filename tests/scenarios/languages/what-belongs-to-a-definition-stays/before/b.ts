export function f(): number {
  return 1;
} // end

export default class C {}

export const k = 1; // one

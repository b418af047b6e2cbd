export function f(): number {
  return 2;
} // end

export default class C { x = 1 }

export const k = 2; // one

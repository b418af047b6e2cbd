import { load, table } from "./index";
import * as all from "./load.js";
import { load as other } from "./load";

function own(load: number) {
  return load;
}
export const found = [load(1), all.load(2), other(3), own(4), table.load(5)];
export const again = { load };
export type Found = ReturnType<typeof load>;

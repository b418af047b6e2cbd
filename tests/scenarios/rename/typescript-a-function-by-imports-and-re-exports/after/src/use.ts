import { fetchIt, table } from "./index";
import * as all from "./load.js";
import { fetchIt as other } from "./load";

function own(load: number) {
  return load;
}
export const found = [fetchIt(1), all.fetchIt(2), other(3), own(4), table.load(5)];
export const again = { load: fetchIt };
export type Found = ReturnType<typeof fetchIt>;

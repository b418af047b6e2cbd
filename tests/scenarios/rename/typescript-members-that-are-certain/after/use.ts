import { Box, Size as Sizes } from "./box";
import * as all from "./box";

export const found = [Sizes.Small, all.Size["Small"], Box.of()];
export const { Big: Large } = Sizes;

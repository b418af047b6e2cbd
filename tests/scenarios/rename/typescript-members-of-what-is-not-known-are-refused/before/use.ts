import { Box } from "./box";

export function all(boxes: Box[]) {
  return boxes.map((box) => box.grow());
}

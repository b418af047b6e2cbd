import Card from "./card";
import { default as Other } from "./card";

export const page = <Card><Other /></Card>;

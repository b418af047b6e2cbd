/// <reference types="node" />
import { y } from "./y";
import { x } from "./x";

/// <reference types="node" />
import { x } from "./x";

// @ts-nocheck

import { y } from "./y";
import { x } from "./x";

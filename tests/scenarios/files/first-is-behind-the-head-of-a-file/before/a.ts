// @ts-nocheck

import { x } from "./x";

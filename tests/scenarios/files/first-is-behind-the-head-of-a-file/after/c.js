/**
 * @jest-environment jsdom
 */

import y from "./y";
import x from "./x";

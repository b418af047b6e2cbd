/**
 * @jest-environment jsdom
 */

import x from "./x";

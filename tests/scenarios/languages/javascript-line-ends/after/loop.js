const a = 1
const b = 2/* x
*/do go(); while (0)

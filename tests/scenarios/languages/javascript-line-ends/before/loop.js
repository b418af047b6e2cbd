const a = 1/* x
*/do go(); while (0)

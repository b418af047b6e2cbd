export class T {}

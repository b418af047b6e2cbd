/** Doc */
@Component({})
export class A {
  // eslint-disable-next-line x
  @Input() x: string;
  y = 1;
}

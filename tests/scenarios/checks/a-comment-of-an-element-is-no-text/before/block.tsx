export const List = ({ rows }: Props) => (
  <ul>
    {rows}
  </ul>
);

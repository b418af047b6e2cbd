export const List = ({ rows }) => (
  <ul>
    {rows}
  </ul>
);

export function List({ rows }: Props) {
  return <ul>{rows}</ul>;
}

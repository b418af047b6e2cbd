export function Card() {
  return <div />;
}
export const small = <Card />;

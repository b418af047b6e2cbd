export const Card = (props) => (
  <div>{props.title}</div>
);
const pair = (a) => [a, a];
const block = (a) => {
  return a;
};

export const Card = ({ title }) => (
  <div>{props.title}</div>
);
const pair = (a, b) => [a, a];
const block = (a, b) => {
  return a;
};

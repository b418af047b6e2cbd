const a = 1;

export default function () {
  return a;
}

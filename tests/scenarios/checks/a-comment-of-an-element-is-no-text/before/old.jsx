export const Old = () => (
  <p>
    // is shown
    <b />
  </p>
);

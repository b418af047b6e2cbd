const a = (
  <div id="a">
    <i>x</i>
  </div>
);

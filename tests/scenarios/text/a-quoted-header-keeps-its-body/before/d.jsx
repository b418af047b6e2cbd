const a = (
  <main>
  <div id="a">
    <i>x</i>
  </div>
  </main>
);

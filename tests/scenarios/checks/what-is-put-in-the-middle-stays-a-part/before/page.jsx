export const page = (
  <main>
    <AdminOnly>
      <Intro />
      <DeleteAll />
    </AdminOnly>
  </main>
);

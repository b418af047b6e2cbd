function clean(files) {
  for (const f of files)
    if (f.isTemporary)
      remove(f);
}

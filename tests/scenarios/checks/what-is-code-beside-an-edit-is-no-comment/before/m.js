const options = {
  retries: 2, timeout: 30, verbose: true,
  /* c */ x: 1,
};

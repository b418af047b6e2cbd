const routes = {
  // eslint-disable-next-line camelcase
  user_id: 1,
  /** Seconds before a call is given up. */
  timeout: 30,
};

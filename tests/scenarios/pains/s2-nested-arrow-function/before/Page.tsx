const Page = () => {
  const calc = () => {
    return 1;
  };
  return <b>{calc()}</b>;
};

const Page = () => {
  const calc = () => {
    return 2;
  };
  return <b>{calc()}</b>;
};

export default class Card {
  render() {
    return <div>Card</div>;
  }
}
export const small = <Card />;

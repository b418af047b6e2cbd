export default class Tile {
  render() {
    return <div>Card</div>;
  }
}
export const small = <Tile />;

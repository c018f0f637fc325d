/** Exactly one long and one short leg: only such baskets have a price ratio, a spread and a beta. */
export function isPair(legs: readonly { readonly side: 'BUY' | 'SELL' }[]): boolean {
  return legs.length === 2 && legs[0]?.side !== legs[1]?.side;
}

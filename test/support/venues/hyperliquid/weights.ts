/** What requests cost of the venue's limits. */

const LIGHT = new Set([
  ...['l2Book', 'allMids', 'clearinghouseState', 'orderStatus', 'spotClearinghouseState', 'exchangeStatus'],
]);

/** Weight of an info request against the 1,200 per minute of an address of the internet. */
export function infoWeight(type: string): number {
  if (type === 'userRole') return 60;
  return LIGHT.has(type) ? 2 : 20;
}

export function exchangeWeight(legs: number): number {
  return 1 + Math.floor(legs / 40);
}

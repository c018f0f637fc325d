/** Weights of requests against the venue's limits. */

const LIGHT = new Set([
  ...['l2Book', 'allMids', 'clearinghouseState', 'orderStatus', 'spotClearinghouseState', 'exchangeStatus'],
]);

/** Weight of an info request against the 1,200 per minute of an address of the internet. */
export function infoWeight(type: string): number {
  if (type === 'userRole') return 60;
  return LIGHT.has(type) ? 2 : 20;
}

/** Answers of these weigh one more for each twenty rows. */
const BY_ROWS = new Set([
  ...['userFills', 'userFillsByTime', 'historicalOrders', 'userFunding', 'fundingHistory', 'recentTrades'],
]);
const ROWS = 20;

export function answerWeight(type: string, answer: unknown): number {
  return BY_ROWS.has(type) && Array.isArray(answer) ? Math.ceil(answer.length / ROWS) : 0;
}

export function exchangeWeight(legs: number): number {
  return 1 + Math.floor(legs / 40);
}

/** Requests as bytes, made once before anything is measured. */

export interface Caller {
  readonly port: number;
  readonly apiKey: string;
  readonly tradeAccountId: string;
}

export function openRequest({ port, apiKey, tradeAccountId }: Caller, body: string): Buffer {
  const lines = [
    'POST /trade/open HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `x-api-key: ${apiKey}`,
    `x-trade-account-id: ${tradeAccountId}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** The same numbers in every run (mulberry32): runs differ by what is measured, not by what is sent. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Leg {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
}

/** Baskets of four different instruments, two long and two short, no two baskets the same. */
function baskets(instruments: readonly string[], count: number): readonly (readonly Leg[])[] {
  const random = seededRandom(7_391);
  const seen = new Set<string>();
  const made: Leg[][] = [];
  while (made.length < count) {
    const chosen = new Set<string>();
    while (chosen.size < 4) chosen.add(instruments[Math.floor(random() * instruments.length)] ?? '');
    const legs = [...chosen].map((symbol, index): Leg => ({ symbol, side: index < 2 ? 'BUY' : 'SELL' }));
    const key = legs
      .map(({ symbol, side }) => `${side} ${symbol}`)
      .sort()
      .join();
    if (seen.has(key)) continue;
    seen.add(key);
    made.push(legs);
  }
  return made;
}

function bodyOf(legs: readonly Leg[], usd: string): string {
  return JSON.stringify({
    type: 'MARKET',
    legs: legs.map(({ symbol, side }) => ({ symbol, side, mode: 'USD', amount: usd })),
    slippage: '0.01',
    onLegFailure: 'KEEP',
  });
}

export function openBodies(instruments: readonly string[], count: number): readonly string[] {
  return baskets(instruments, count).map((legs) => bodyOf(legs, '25'));
}

/** Each basket is followed by its opposite, so that the account's net exposure stays near nothing however many are opened. */
export function balancedBodies(instruments: readonly string[], pairs: number): readonly string[] {
  return baskets(instruments, pairs).flatMap((legs) => {
    const opposite = legs.map(({ symbol, side }): Leg => ({ symbol, side: side === 'BUY' ? 'SELL' : 'BUY' }));
    return [bodyOf(legs, '50'), bodyOf(opposite, '50')];
  });
}

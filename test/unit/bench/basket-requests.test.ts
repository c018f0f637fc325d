import { expect } from 'chai';
import { openTrade } from '../../../gateway/contract/positions.ts';
import { balancedBodies, openBodies, requestBytes } from '../../bench/basket-requests.ts';

const INSTRUMENTS = Array.from({ length: 60 }, (_, index) => `S${index}-PERP`);

interface Body {
  readonly legs: readonly { readonly symbol: string; readonly side: string }[];
}

function keyOf(text: string): string {
  const body: Body = JSON.parse(text);
  return body.legs
    .map(({ symbol, side }) => `${side} ${symbol}`)
    .sort()
    .join();
}

describe('bench: basket requests', () => {
  it('makes valid bodies of four legs, no two with the same basket', () => {
    const bodies = openBodies(INSTRUMENTS, 4_096);
    expect(new Set(bodies.map(keyOf)).size).to.equal(4_096);
    for (const body of bodies.slice(0, 50)) {
      const parsed = openTrade.body?.safeParse(JSON.parse(body));
      expect(parsed?.success, body).to.equal(true);
    }
  });

  it('sends the same baskets in every run', () => {
    expect(openBodies(INSTRUMENTS, 20)).to.deep.equal(openBodies(INSTRUMENTS, 20));
  });

  it('balances every pair: each instrument is bought as often as it is sold', () => {
    const net = new Map<string, number>();
    const bodies = balancedBodies(INSTRUMENTS, 100);
    expect(new Set(bodies.map(keyOf)).size).to.equal(200);
    for (const text of bodies) {
      const body: Body = JSON.parse(text);
      for (const { symbol, side } of body.legs) {
        net.set(symbol, (net.get(symbol) ?? 0) + (side === 'BUY' ? 1 : -1));
      }
    }
    expect([...net.values()].every((sum) => sum === 0)).to.equal(true);
  });

  it('counts the length of a body in bytes', () => {
    const text = requestBytes(1, 'POST', '/x', { a: 'b' }, '{"ü":1}').toString();
    expect(text).to.equal(
      'POST /x HTTP/1.1\r\nHost: 127.0.0.1:1\r\na: b\r\ncontent-type: application/json\r\ncontent-length: 8\r\n\r\n{"ü":1}',
    );
  });
});

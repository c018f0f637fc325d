/** The text of each of the twelve outcomes, to the letter: some clients show their model nothing else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { OUTCOMES, type Outcome, outcomeOf, outcomeOut, outcomeText } from '../../../gateway/mcp/outcome.ts';

const GOLDEN = new URL('../../data/mcp-outcomes.txt', import.meta.url);

const account = { id: 'a1', alias: 'Main', venue: 'paper', money: 'PLAY MONEY' } as const;
const btc = { instrument: 'BTC-PERP', side: 'BUY', asked: '500 USD', problem: null } as const;
const eth = { instrument: 'ETH-PERP', side: 'SELL', asked: '500 USD' } as const;
const filled = { ...btc, filled_base: '0.005', average_price_usd: '99000' };
const unfilled = { ...eth, filled_base: '0', average_price_usd: null };

const MORE: Readonly<Record<(typeof OUTCOMES)[number], Partial<Outcome> & Pick<Outcome, 'money_moved'>>> = {
  NOTHING_ORDERED: {
    money_moved: 'no',
    reason: 'Agent limit',
    limits: [{ name: 'maxOrderUsd', allowed: '500', used: null, asked: '1000' }],
  },
  WAITING_FOR_USER: { money_moved: 'no', approval: { id: 'p1', expires_at: '2026-01-31T12:00:00.000Z' } },
  ACCEPTED_NOT_FILLED: { money_moved: 'not_known' },
  RESTING: { money_moved: 'no' },
  FILLED: {
    money_moved: 'yes',
    legs: [filled, { ...unfilled, filled_base: '0.1', average_price_usd: '4000', problem: null }],
  },
  PARTLY_FILLED: { money_moved: 'yes', legs: [filled, { ...unfilled, problem: null }] },
  FAILED_NOTHING_TRADED: { money_moved: 'no', reason: 'the market is past the worst price' },
  FAILED_PARTLY_TRADED: {
    money_moved: 'yes',
    legs: [filled, { ...unfilled, problem: 'rejected by the venue' }],
    held_now: [{ instrument: 'BTC-PERP', side: 'BUY', quantity_base: '0.005' }],
  },
  CANCELLED: { money_moved: 'no' },
  DENIED: { money_moved: 'no' },
  EXPIRED: { money_moved: 'no' },
  UNKNOWN: { money_moved: 'not_known' },
};

describe('texts of outcomes', () => {
  const told = OUTCOMES.map((outcome) =>
    outcomeOf({
      outcome,
      kind: outcome === 'WAITING_FOR_USER' ? 'approval' : 'execution',
      id: 'e1',
      account,
      asked: 'LONG 500 USD BTC-PERP, SHORT 500 USD ETH-PERP',
      ...MORE[outcome],
    }),
  );

  it('are the reviewed ones', () => {
    const text = `${told.map((one) => `## ${one.outcome}\n${outcomeText(one)}`).join('\n\n')}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, text);
    expect(text).to.equal(readFileSync(GOLDEN, 'utf8'));
  });

  it('fit the schema, begin differently, and say whether money moved and what to do', () => {
    for (const one of told) expect(outcomeOut.safeParse(one).success, one.outcome).to.equal(true);
    const firsts = told.map((one) => outcomeText(one).split('\n')[0]);
    expect(new Set(firsts).size).to.equal(OUTCOMES.length);
    for (const one of told)
      expect(outcomeText(one)).to.match(/Money moved: (yes|no|not known)\.[\s\S]*\nNext: /);
  });
});

/** Detection of a mandate's holder out of control: each rule below, at and past its bound, and what is forgotten. */
import { expect } from 'chai';
import { dec } from '../../../gateway/domain/decimal.ts';
import {
  BASKET_TURNS,
  type BasketTurn,
  type Conduct,
  NO_CONDUCT,
  type RunawayRules,
  runawayOf,
  STANDING_TRANSITIONS,
  withFees,
  withRefusal,
  withTurn,
} from '../../../gateway/domain/runaway.ts';

const MINUTE = 60_000;
const RULES: RunawayRules = { refusals: 3, reopenings: 2, feesUsd: '40' };

/** One step a minute. */
function seen(steps: readonly ((conduct: Conduct, now: number) => Conduct)[], everyMs = MINUTE) {
  return steps.reduce((conduct, step, index) => step(conduct, index * everyMs), NO_CONDUCT);
}
const refused = (conduct: Conduct, now: number) => withRefusal(conduct, now);
const opened = (conduct: Conduct, now: number) => withTurn(conduct, 'a', 'opened', now);
const closed = (conduct: Conduct, now: number) => withTurn(conduct, 'a', 'closed', now);
const fee = (usd: string) => (conduct: Conduct, now: number) => withFees(conduct, dec(usd), now);
const idle = (conduct: Conduct) => conduct;

describe('a runaway', () => {
  const CASES: readonly (readonly [string, Conduct, number, string | null])[] = [
    ['nothing was seen', NO_CONDUCT, 0, null],
    ['one refusal fewer', seen([refused, refused]), 2 * MINUTE, null],
    ['refusals', seen([refused, refused, refused]), 2 * MINUTE, 'It was refused 3 times within an hour'],
    ['refusals an hour apart', seen([refused, refused, refused], 30 * MINUTE), 60 * MINUTE, null],
    ['closed and opened once', seen([opened, closed, opened]), 2 * MINUTE, null],
    [
      'closed and opened twice',
      seen([opened, closed, opened, closed, opened]),
      4 * MINUTE,
      'It opened what it had just closed 2 times within 10 minutes',
    ],
    ['adding is no opening', seen([opened, opened, opened, opened]), 3 * MINUTE, null],
    ['closing what others opened', seen([closed, closed, closed, opened]), 3 * MINUTE, null],
    [
      'opened again long after',
      seen([opened, closed, ...Array(10).fill(idle), opened, closed, ...Array(10).fill(idle), opened]),
      25 * MINUTE,
      null,
    ],
    [
      'twice within twenty minutes',
      seen([opened, closed, opened, closed, opened], 4 * MINUTE),
      16 * MINUTE,
      'It opened what it had just closed 2 times within 10 minutes',
    ],
    ['it was a while ago', seen([opened, closed, opened, closed, opened]), 13 * MINUTE, null],
    ['fees below', seen([fee('20'), fee('19.99')]), MINUTE, null],
    ['fees', seen([fee('20'), fee('20')]), MINUTE, 'It paid 40 USD of fees within an hour'],
    ['fees an hour apart', seen([fee('20'), fee('20')], 60 * MINUTE), 60 * MINUTE, null],
    ['rebates are no fees', seen([fee('-50'), fee('-50')]), MINUTE, null],
  ];
  for (const [name, conduct, now, reason] of CASES)
    it(name, () => {
      expect(runawayOf(RULES, [conduct], now)).to.equal(reason);
      expect(runawayOf({ refusals: null, reopenings: null, feesUsd: null }, [conduct], now)).to.equal(null);
      expect(runawayOf(undefined, [conduct], now)).to.equal(null);
    });

  it('that registers anew is the one that it was', () => {
    const before = seen([refused, refused]);
    const since = seen([refused]);
    expect(runawayOf(RULES, [since], MINUTE)).to.equal(null);
    expect(runawayOf(RULES, [since, before], MINUTE)).to.equal('It was refused 3 times within an hour');
  });

  it('two baskets are two', () => {
    const other = (event: 'opened' | 'closed') => (conduct: Conduct, now: number) =>
      withTurn(conduct, 'b', event, now);
    const conduct = seen([opened, other('opened'), closed, other('closed'), opened, other('opened')]);
    expect(runawayOf(RULES, [conduct], 6 * MINUTE)).to.equal(null);
  });

  it('forgets: an hour of refusals and fees, and baskets that were closed ten minutes ago', () => {
    let conduct = NO_CONDUCT;
    for (let minute = 0; minute < 2_000; minute += 1) {
      const now = minute * MINUTE;
      conduct = withFees(withRefusal(conduct, now), dec('1'), now);
      conduct = withTurn(withTurn(conduct, `${minute}`, 'opened', now), `${minute}`, 'closed', now);
    }
    expect([conduct.refused.length, conduct.fees.length]).to.deep.equal([60, 60]);
    expect(conduct.baskets.size).to.be.at.most(11);
  });

  it('the tables are whole: every state can be left, and nothing but a resumption lets go', () => {
    const reached = (table: Record<string, Partial<Record<string, string>>>) =>
      Object.entries(table).map(([state, row]) => [state, ...Object.entries(row).flat()]);
    expect(reached(STANDING_TRANSITIONS)).to.deep.equal([
      ['TRADES', 'suspend', 'SUSPENDED'],
      ['SUSPENDED', 'resume', 'TRADES'],
    ]);
    const turns: readonly BasketTurn[] = ['NEVER', 'HELD', 'CLOSED', 'HELD_AGAIN'];
    expect(Object.keys(BASKET_TURNS)).to.deep.equal(turns);
    for (const turn of turns) expect(Object.keys(BASKET_TURNS[turn])).to.have.length(1);
  });
});

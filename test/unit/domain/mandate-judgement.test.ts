/** Judgement of a mandate, limit by limit: below, at and one unit above it, and all reasons at once. */
import { expect } from 'chai';
import type { BrokenLimit, HouseLimits, Mandate, MandateLimit } from '../../../gateway/domain/mandate.ts';
import { isWithinHours } from '../../../gateway/domain/mandate-hours.ts';
import {
  judge,
  type MandateAsk,
  type MandateFacts,
  type MandateUsage,
  type MoneyUsage,
} from '../../../gateway/domain/mandate-judgement.ts';
import { NO_HOUSE_LIMITS, openMandate, stopAt } from '../../support/mandates.ts';

const NOTHING_USED: MoneyUsage = {
  openedUsd24h: '0',
  grossUsd: '0',
  positions: 0,
  resting: 0,
  lossUsd24h: '0',
};
const ASK: MandateAsk = {
  kind: 'now',
  brings: [],
  effect: 'OPENS',
  tradeAccountId: 'account',
  isOwn: true,
  legs: [{ symbol: 'BTC-PERP' }, { symbol: 'ETH-PERP' }],
  worstUsd: '500',
  slippage: '0.01',
  leverage: 3,
  opensPosition: true,
  rests: 0,
  isRequest: true,
};
/** A Wednesday, 14:30 in Berlin. */
const NOW = Date.parse('2026-03-04T13:30:00Z');
const FACTS: MandateFacts = {
  now: NOW,
  isSuspended: false,
  isLive: false,
  firsts: [],
  isDuplicate: false,
  isApproved: false,
};

interface Case {
  readonly mandate?: Partial<Mandate>;
  readonly house?: Partial<HouseLimits> | undefined;
  readonly own?: Partial<MoneyUsage>;
  readonly all?: Partial<MoneyUsage>;
  readonly rate?: Partial<Pick<MandateUsage, 'lastMinute' | 'lastDay' | 'isCoolingDown'>>;
  readonly ask?: Partial<MandateAsk>;
  readonly facts?: Partial<MandateFacts>;
}

function judged({ mandate, house, own, all, rate, ask, facts }: Case = {}) {
  return judge(
    openMandate(['account'], mandate),
    house === undefined ? null : { ...NO_HOUSE_LIMITS, ...house },
    {
      own: { ...NOTHING_USED, ...own },
      house: { ...NOTHING_USED, ...all },
      lastMinute: 0,
      lastDay: 0,
      isCoolingDown: false,
      ...rate,
    },
    { ...ASK, ...ask },
    { ...FACTS, ...facts },
  );
}

/** Names of the limits that a case breaks. */
function broken(one: Case): readonly MandateLimit[] {
  const judgement = judged(one);
  return judgement.verdict === 'refused' ? judgement.broken.map(({ limit }) => limit) : [];
}

/** A limit with cases below it and at it, which it allows, and one unit above, which it does not. */
type Row = readonly [limit: MandateLimit, within: readonly Case[], above: Case];

/** A limit of what is used by then, by this agent or by all: amounts below it and at it, and one above. */
function counted(
  limit: MandateLimit,
  allowed: string | number,
  use: keyof MoneyUsage,
  within: readonly (string | number)[],
  above: string | number,
  ask: Partial<MandateAsk> = {},
): Row {
  const [, ofAll] = /^house\.(.*)/.exec(limit) ?? [];
  const terms = { [ofAll ?? limit]: allowed };
  const used = (amount: string | number): Case => {
    const usage = { [use]: amount } as Partial<MoneyUsage>;
    return ofAll === undefined ? { mandate: terms, own: usage, ask } : { house: terms, all: usage, ask };
  };
  return [limit, within.map(used), used(above)];
}

const RATE = { perMinute: 6, perDay: 60, coolDownSeconds: 60 };
const REDUCES = { effect: 'REDUCES', legs: [], worstUsd: '0' } as const;

const ROWS: readonly Row[] = [
  [
    'maxOrderUsd',
    [{ mandate: { maxOrderUsd: '500.01' } }, { mandate: { maxOrderUsd: '500' } }],
    { mandate: { maxOrderUsd: '499.99' } },
  ],
  counted('maxOpenedUsd24h', '2000', 'openedUsd24h', ['1499.99', '1500'], '1500.01'),
  counted('maxGrossUsd', '2000', 'grossUsd', ['1499', '1500'], '1500.000000000000000001'),
  [
    'maxLeverage',
    [{ mandate: { maxLeverage: 4 } }, { mandate: { maxLeverage: 3 } }],
    { mandate: { maxLeverage: 2 } },
  ],
  counted('maxPositions', 4, 'positions', [2, 3], 4),
  counted('maxResting', 10, 'resting', [7, 8], 9, { rests: 2 }),
  [
    'maxSlippage',
    [{ mandate: { maxSlippage: '0.011' } }, { mandate: { maxSlippage: '0.01' } }],
    { mandate: { maxSlippage: '0.0099' } },
  ],
  [
    'validUntil',
    [{ mandate: { validUntil: NOW + 2 } }, { mandate: { validUntil: NOW + 1 } }],
    { mandate: { validUntil: NOW } },
  ],
  [
    'lossStop',
    [
      { mandate: { lossStop: stopAt('200') }, own: { lossUsd24h: '-50' } },
      { mandate: { lossStop: stopAt('200') }, own: { lossUsd24h: '199.99' } },
    ],
    { mandate: { lossStop: stopAt('200') }, own: { lossUsd24h: '200' } },
  ],
  [
    'rate',
    [
      { mandate: { rate: RATE }, rate: { lastMinute: 5, lastDay: 59 } },
      {
        mandate: { rate: RATE },
        rate: { lastMinute: 6, lastDay: 60, isCoolingDown: true },
        ask: { isRequest: false },
      },
    ],
    { mandate: { rate: RATE }, rate: { lastMinute: 6 } },
  ],
  ['accounts', [{ mandate: { accounts: ['other', 'account'] } }], { mandate: { accounts: ['other'] } }],
  ['kinds', [{ mandate: { kinds: ['now'] } }], { mandate: { kinds: ['when', 'protect'] } }],
  [
    'manage',
    [{ ask: { isOwn: true } }, { mandate: { manage: 'ALL' }, ask: { isOwn: false } }],
    { ask: { isOwn: false } },
  ],
  ['reduceOnly', [{ mandate: { reduceOnly: true }, ask: REDUCES }], { mandate: { reduceOnly: true } }],
  [
    'instruments',
    [{ mandate: { instruments: ['BTC-PERP', 'ETH-PERP'] } }, { mandate: { deny: ['SOL-PERP'] } }],
    { mandate: { instruments: ['BTC-PERP'] } },
  ],
  ['instruments', [], { mandate: { instruments: ['BTC-PERP', 'ETH-PERP'], deny: ['ETH-PERP'] } }],
  ['suspended', [{ facts: { isSuspended: true }, ask: REDUCES }], { facts: { isSuspended: true } }],
  ['house.maxOrderUsd', [{ house: { maxOrderUsd: '500' } }], { house: { maxOrderUsd: '499.99' } }],
  counted('house.maxOpenedUsd24h', '5000', 'openedUsd24h', ['4500'], '4500.01'),
  counted('house.maxGrossUsd', '5000', 'grossUsd', ['4500'], '4500.01'),
  counted('house.maxPositions', 2, 'positions', [1], 2),
  counted('house.maxResting', 2, 'resting', [1], 2, { rests: 1 }),
  counted('house.lossUsd24h', '100', 'lossUsd24h', ['99'], '100'),
];

describe('what a mandate allows', () => {
  it('reserves the worst case of what it allows', () => {
    expect(judged()).to.deep.equal({ verdict: 'allowed', reserveUsd: '500' });
  });

  for (const [limit, within, above] of ROWS) {
    it(`${limit}: allowed below and at it, refused one unit above`, () => {
      for (const one of within) expect(broken(one), JSON.stringify(one)).to.deep.equal([]);
      expect(broken(above)).to.deep.equal([limit]);
    });
  }

  it('counts positions and waiting orders only where the order adds one', () => {
    const full = { own: { positions: 4, resting: 10 } };
    expect(broken({ mandate: { maxPositions: 4 }, ...full, ask: { opensPosition: false } })).to.deep.equal(
      [],
    );
    expect(broken({ mandate: { maxResting: 10 }, ...full })).to.deep.equal([]);
  });

  it('knows every limit that there is a name for', () => {
    const named = new Set([...ROWS.map(([limit]) => limit), 'hours']);
    const all: Record<Exclude<MandateLimit, 'changeLeverage' | 'attributeTrades'>, true> = {
      ...{
        accounts: true,
        instruments: true,
        kinds: true,
        reduceOnly: true,
        manage: true,
        maxOrderUsd: true,
      },
      ...{
        maxOpenedUsd24h: true,
        maxGrossUsd: true,
        maxLeverage: true,
        maxPositions: true,
        maxResting: true,
      },
      ...{ maxSlippage: true, hours: true, validUntil: true, lossStop: true, suspended: true, rate: true },
      ...{ 'house.maxOrderUsd': true, 'house.maxOpenedUsd24h': true, 'house.maxGrossUsd': true },
      ...{ 'house.maxPositions': true, 'house.maxResting': true, 'house.lossUsd24h': true },
    };
    expect([...named].sort()).to.deep.equal(Object.keys(all).sort());
  });

  it('names every limit that would be broken, with what is allowed, used and asked', () => {
    const judgement = judged({
      mandate: {
        accounts: [],
        kinds: [],
        maxOrderUsd: '100',
        maxOpenedUsd24h: '600',
        maxLeverage: 2,
        validUntil: 1,
      },
      own: { openedUsd24h: '300' },
      house: { maxOrderUsd: '50' },
      facts: { isSuspended: true },
    });
    const limits: readonly BrokenLimit[] = judgement.verdict === 'refused' ? judgement.broken : [];
    expect(limits.map(({ limit }) => limit)).to.deep.equal([
      'accounts',
      'kinds',
      'maxOrderUsd',
      'maxOpenedUsd24h',
      'maxLeverage',
      'validUntil',
      'suspended',
      'house.maxOrderUsd',
    ]);
    expect(limits).to.deep.include({ limit: 'maxOpenedUsd24h', allowed: '600', used: '300', asked: '500' });
    expect(limits).to.deep.include({ limit: 'maxOrderUsd', allowed: '100', used: null, asked: '500' });
  });

  it('never keeps from reducing by money, time, kind, rate or suspension', () => {
    const nothing: Partial<Mandate> = {
      ...{
        kinds: [],
        reduceOnly: true,
        instruments: [],
        maxOrderUsd: '0',
        maxOpenedUsd24h: '0',
        maxGrossUsd: '0',
      },
      ...{ maxPositions: 0, maxResting: 0, maxLeverage: 0, maxSlippage: '0', validUntil: 1 },
      lossStop: stopAt('0'),
      hours: { zone: 'UTC', days: [], from: '00:00', to: '00:01' },
      rate: { perMinute: 0, perDay: 0, coolDownSeconds: 60 },
    };
    const reduces = {
      ask: REDUCES,
      facts: { isSuspended: true },
    } as const;
    expect(judged({ mandate: nothing, ...reduces })).to.deep.equal({ verdict: 'allowed', reserveUsd: '0' });
    expect(broken({ mandate: { ...nothing, accounts: [] }, ...reduces })).to.deep.equal(['accounts']);
    expect(broken({ mandate: nothing, ...reduces, ask: { ...reduces.ask, isOwn: false } })).to.deep.equal([
      'manage',
    ]);
  });

  it('judges what waits by its gross, and by hours and the day only when it fires', () => {
    const mandate = {
      maxOpenedUsd24h: '100',
      maxGrossUsd: '500',
      hours: { zone: 'UTC', days: [7], from: '00:00', to: '01:00' },
    };
    expect(broken({ mandate, ask: { rests: 1 } })).to.deep.equal([]);
    expect(broken({ mandate, ask: { rests: 1 }, own: { grossUsd: '1' } })).to.deep.equal(['maxGrossUsd']);
    expect(broken({ mandate, ask: { isRequest: false } })).to.deep.equal(['maxOpenedUsd24h', 'hours']);
  });

  describe('asks a person', () => {
    const approval = openMandate([]).approval;
    const reasons = (one: Case) => {
      const judgement = judged(one);
      return judgement.verdict === 'needs_approval' ? judgement.reasons : judgement.verdict;
    };

    it('above the threshold, always, by kind and for what is done for the first time', () => {
      const above = (aboveUsd: string) =>
        ({ mandate: { approval: { ...approval, when: 'above', aboveUsd } } }) as const;
      expect(reasons(above('500.01'))).to.equal('allowed');
      expect(reasons(above('500'))).to.equal('allowed');
      expect(reasons(above('499.99'))).to.deep.equal(['ABOVE']);
      expect(reasons({ mandate: { approval: { ...approval, when: 'always' } } })).to.deep.equal(['ALWAYS']);
      expect(reasons({ mandate: { approval: { ...approval, kinds: ['now'] } } })).to.deep.equal(['KIND']);
      expect(reasons({ mandate: { approval: { ...approval, kinds: ['when'] } } })).to.equal('allowed');
      const firsts = ['ACCOUNT', 'INSTRUMENT', 'LIVE'] as const;
      const live = {
        mandate: { approval: { ...approval, firsts: 'live' } },
        facts: { firsts, isLive: true },
      } as const;
      expect(reasons(live)).to.deep.equal(['FIRST_ON_ACCOUNT', 'FIRST_OF_INSTRUMENT', 'FIRST_LIVE']);
      expect(reasons({ ...live, facts: { firsts, isLive: false } })).to.equal('allowed');
      expect(
        reasons({
          ...live,
          mandate: { approval: { ...approval, firsts: 'all' } },
          facts: { firsts: ['INSTRUMENT'] },
        }),
      ).to.deep.equal(['FIRST_OF_INSTRUMENT']);
    });

    it('of the same order again, where the mandate says so', () => {
      const again = { isDuplicate: true };
      const asking = { mandate: { approval: { ...approval, duplicates: 'ask' } } } as const;
      expect(reasons({ ...asking, facts: again })).to.deep.equal(['DUPLICATE']);
      expect(reasons({ ...asking, facts: { ...again, isApproved: true } })).to.equal('allowed');
      expect(reasons(asking)).to.equal('allowed');
      expect(reasons({ facts: again })).to.equal('allowed');
    });

    it('all reasons at once, and nobody of what was approved, reduces or fires', () => {
      const everything = {
        mandate: { approval: { ...approval, when: 'always', aboveUsd: '1', kinds: ['now'], firsts: 'all' } },
        facts: { firsts: ['ACCOUNT'] },
      } as const;
      expect(reasons(everything)).to.deep.equal(['ALWAYS', 'KIND', 'FIRST_ON_ACCOUNT']);
      expect(reasons({ ...everything, facts: { ...everything.facts, isApproved: true } })).to.equal(
        'allowed',
      );
      expect(reasons({ ...everything, ask: { isRequest: false } })).to.equal('allowed');
      expect(reasons({ ...everything, ask: REDUCES })).to.equal('allowed');
    });

    it('nobody of what no person can allow', () => {
      const mandate: Partial<Mandate> = { maxOrderUsd: '1', approval: { ...approval, when: 'always' } };
      expect(broken({ mandate })).to.deep.equal(['maxOrderUsd']);
    });
  });
});

describe('the hours of a mandate', () => {
  const at = (time: string) => Date.parse(time);
  const berlin = { zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' };

  it('are those of their own zone, its end excluded', () => {
    expect(isWithinHours(berlin, at('2026-03-04T07:59:59Z'))).to.equal(false);
    expect(isWithinHours(berlin, at('2026-03-04T08:00:00Z'))).to.equal(true);
    expect(isWithinHours(berlin, at('2026-03-04T16:29:59Z'))).to.equal(true);
    expect(isWithinHours(berlin, at('2026-03-04T16:30:00Z'))).to.equal(false);
    // Summer time began on 29 March 2026.
    expect(isWithinHours(berlin, at('2026-03-30T07:00:00Z'))).to.equal(true);
    expect(isWithinHours(berlin, at('2026-03-07T12:00:00Z'))).to.equal(false);
  });

  it('go on over midnight as part of the day on which they began', () => {
    const night = { zone: 'UTC', days: [5], from: '22:00', to: '02:00' };
    expect(isWithinHours(night, at('2026-03-06T21:59:00Z'))).to.equal(false);
    expect(isWithinHours(night, at('2026-03-06T22:00:00Z'))).to.equal(true);
    expect(isWithinHours(night, at('2026-03-07T01:59:00Z'))).to.equal(true);
    expect(isWithinHours(night, at('2026-03-07T02:00:00Z'))).to.equal(false);
    expect(isWithinHours(night, at('2026-03-07T22:30:00Z'))).to.equal(false);
    const always = { zone: 'UTC', days: [7], from: '00:00', to: '00:00' };
    expect(isWithinHours(always, at('2026-03-08T23:59:00Z'))).to.equal(true);
  });
});

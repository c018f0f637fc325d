/** Pages of long lists, and a saved basket while it is typed. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import {
  cointegrationWord,
  evidenceWords,
  screenedSpan,
  spanWords,
} from '../../../renderer/features/cointegration/cointegration-words.ts';
import { dataHours } from '../../../renderer/features/half-life/data-hours.ts';
import {
  materializedCount,
  pagesOf,
  pairPlaces,
} from '../../../renderer/features/market-baskets/basket-places.ts';
import { pairWarning, whyPairFigureIsMissing } from '../../../renderer/screens/markets/pair-words.ts';
import {
  bodyOf,
  changeOf,
  draftOf,
  draftOfLegs,
  draftSum,
  isRounded,
  withEqualWeights,
  withLegs,
  withNewLeg,
  withNormalisedWeights,
} from '../../../renderer/screens/markets/saved-basket-draft.ts';
import { weightedChange } from '../../../renderer/screens/markets/weighted-change.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

describe('pages of a window of rows', () => {
  it('are those that hold its rows and no others', () => {
    expect(pagesOf({ first: 0, last: 30 }, 1_000, 100)).to.deep.equal([0]);
    expect(pagesOf({ first: 95, last: 130 }, 1_000, 100)).to.deep.equal([0, 1]);
    expect(pagesOf({ first: 990, last: 1_020 }, 1_000, 100)).to.deep.equal([9]);
    expect(pagesOf({ first: 0, last: 30 }, 0, 100)).to.deep.equal([]);
    forAll(
      [fc.nat(5_000), fc.nat(100), fc.nat(5_000), fc.integer({ min: 1, max: 200 })],
      propertyRuns(50),
      (first, more, count, size) => {
        const last = first + more;
        const pages = pagesOf({ first, last }, count, size);
        for (let row = 0; row < count; row += 1) {
          const isWanted = row >= first && row <= last;
          if (isWanted) expect(pages).to.include(Math.floor(row / size));
        }
        for (const page of pages) {
          expect(page * size).to.be.at.most(Math.min(last, count - 1));
          expect((page + 1) * size).to.be.greaterThan(first);
        }
      },
    );
  });
});

describe('pairs among the baskets', () => {
  const row = (legs: string, hasMaterializedStats: boolean) => ({
    hasMaterializedStats,
    legs: [...legs].map((letter) => ({ side: letter === 'L' ? ('BUY' as const) : ('SELL' as const) })),
  });
  const listed = [row('LS', true), row('LLS', true), row('L', true), row('LS', true)];

  it('have one long and one short leg', () => {
    expect(listed.map(({ legs }) => isPair(legs))).to.deep.equal([true, false, false, true]);
    expect(isPair(row('SL', false).legs)).to.equal(true);
    expect(isPair(row('LL', true).legs)).to.equal(false);
  });

  it('follow those that were opened or saved', () => {
    expect(materializedCount([...listed, row('LS', false)], 100)).to.equal(4);
    expect(materializedCount(listed, 4)).to.equal(4);
    expect(materializedCount(listed, 5)).to.equal(null);
    expect(materializedCount([], 0)).to.equal(0);
    const places = pairPlaces(listed, 10);
    expect(places.count).to.equal(8);
    expect(Array.from({ length: places.count }, (_, index) => places.placeOf(index))).to.deep.equal([
      0, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });
});

describe('saved basket while it is typed', () => {
  const legs = [
    { symbol: 'BTC-PERP', side: 'BUY' as const, weight: '30' },
    { symbol: 'ETH-PERP', side: 'BUY' as const, weight: '20' },
    { symbol: 'DOGE-PERP', side: 'SELL' as const, weight: '50' },
  ];
  const saved = (weights: readonly number[]) => ({
    id: '018f0000-0000-7000-8000-000000000000',
    name: 'Majors',
    legs: legs.map(({ symbol, side }, index) => ({ symbol, side, weight: weights[index] ?? 0 })),
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  });
  const problems = (draft: Parameters<typeof bodyOf>[0]) => {
    const made = bodyOf(draft);
    return 'problems' in made ? made.problems : {};
  };

  it('becomes what the contract wants', () => {
    expect(bodyOf({ name: '  Majors ', legs })).to.deep.equal({
      body: { name: 'Majors', legs: saved([0.3, 0.2, 0.5]).legs },
    });
  });

  it('says what is wrong beside the field', () => {
    expect(problems({ name: ' ', legs })['name']).to.contain('1 to 48');
    expect(problems({ name: 'x'.repeat(49), legs })['name']).to.contain('1 to 48');
    expect(problems({ name: 'a\u0000', legs })['name']).to.contain('control');
    expect(problems({ name: 'A', legs: [] })['legs']).to.contain('at least one leg');
    const [first, second, third] = legs;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three legs');
    expect(problems({ name: 'A', legs: [first, { ...second, weight: 'x' }, third] })).to.have.property(
      'legs.1.weight',
    );
    expect(problems({ name: 'A', legs: [first, second] })['legs']).to.equal(
      'The weights sum to 50 %, not 100 %',
    );
    const twice = [
      { ...first, weight: '50' },
      { ...first, weight: '50' },
    ];
    expect(problems({ name: 'A', legs: twice })['legs.1.symbol']).to.contain('only once');
    const many = Array.from({ length: 21 }, (_, index) => ({ ...first, symbol: `I${index}`, weight: '1' }));
    expect(problems({ name: 'A', legs: many })['legs']).to.contain('at most 20');
  });

  it('gets weights that sum to 100 %', () => {
    const thirds = withNormalisedWeights({ name: '', legs: legs.map((leg) => ({ ...leg, weight: '10' })) });
    expect(thirds.legs.map(({ weight }) => weight)).to.deep.equal(['33.3334', '33.3333', '33.3333']);
    expect(draftSum(thirds)).to.equal(1_000_000);
    const mixed = withEqualWeights({
      name: '',
      legs: [legs[0], legs[2], legs[1]].flatMap((leg) => leg ?? []),
    });
    expect(mixed.legs.map(({ weight }) => weight)).to.deep.equal(['25', '50', '25']);
    expect(draftOfLegs(legs).legs.map(({ weight }) => weight)).to.deep.equal(['25', '25', '50']);
    expect(draftSum({ name: '', legs: legs.map((leg) => ({ ...leg, weight: '' })) })).to.equal(null);
  });

  it('weighs a new leg with the others until somebody sets a weight', () => {
    const picked = ['A', 'B', 'C'].reduce(withNewLeg, { name: '', legs: [] });
    expect(picked.legs).to.deep.equal([
      { symbol: 'A', side: 'BUY', weight: '25' },
      { symbol: 'B', side: 'SELL', weight: '50' },
      { symbol: 'C', side: 'BUY', weight: '25' },
    ]);
    expect(withLegs(picked, picked.legs.slice(0, 2)).legs.map(({ weight }) => weight)).to.deep.equal([
      '50',
      '50',
    ]);
    const set = { name: '', legs: picked.legs.map((leg) => ({ ...leg, weight: '30' })) };
    expect(withNewLeg(set, 'D').legs.map(({ weight }) => weight)).to.deep.equal(['30', '30', '30', '10']);
    expect(withLegs(set, set.legs.slice(1)).legs.map(({ weight }) => weight)).to.deep.equal(['30', '30']);
  });

  it('sends only what changed, and never rounds weights that were not touched', () => {
    const basket = saved([1 / 3, 1 / 6, 0.5]);
    expect(isRounded(basket)).to.equal(true);
    expect(isRounded(saved([0.3, 0.2, 0.5]))).to.equal(false);
    const made = bodyOf({ ...draftOf(basket), name: 'Minors' });
    expect(made).to.have.property('body');
    if ('body' in made) expect(changeOf(basket, made.body)).to.deep.equal({ name: 'Minors' });
    const edited = bodyOf({ name: 'Majors', legs });
    if ('body' in edited) expect(changeOf(basket, edited.body)).to.deep.equal({ legs: edited.body.legs });
  });
});

describe('figures of a pair in words', () => {
  const pair = {
    connector: 'paper',
    long: 'BTC-PERP',
    short: 'ETH-PERP',
    lookback: '30d' as const,
    interval: '1h',
    from: null,
    to: null,
    observations: 12,
    reason: 'TOO_FEW_OBSERVATIONS' as const,
    halfLifeReason: null,
    tradeability: {
      long: { status: 'tradable' as const, reason: null },
      short: { status: 'tradable' as const, reason: null },
    },
    correlation: null,
    beta: null,
    hedgeRatio: null,
    spreadDeviation: null,
    zScore: null,
    halfLifeHours: null,
    cointegration: null,
    history: [],
  };

  it('say why a figure is missing', () => {
    expect(whyPairFigureIsMissing('beta', pair)).to.equal('Needs 30 common prices; there are 12');
    const enough = { ...pair, observations: 700, reason: null };
    const halfLife = (halfLifeReason: 'DOES_NOT_REVERT' | 'OSCILLATES') =>
      whyPairFigureIsMissing('halfLifeHours', { ...enough, halfLifeReason });
    expect(halfLife('DOES_NOT_REVERT')).to.contain('does not come back');
    expect(halfLife('OSCILLATES')).to.contain('from one side to the other');
    expect(whyPairFigureIsMissing('hedgeRatio', { ...enough, reason: 'SHORT_CONSTANT' })).to.contain(
      `${pair.short} stood still`,
    );
    expect(whyPairFigureIsMissing('beta', enough)).to.contain('do not define');
    expect(whyPairFigureIsMissing('beta', { ...enough, beta: '1' })).to.equal(null);
  });

  it('say that a leg is not traded any more', () => {
    expect(pairWarning(pair)).to.equal(null);
    const gone = { ...pair.tradeability, long: { status: 'not_tradable' as const, reason: 'delisted' } };
    expect(pairWarning({ ...pair, tradeability: gone })).to.contain(
      `${pair.long} is not traded any more (delisted)`,
    );
  });

  it('say how likely a pair is to be cointegrated', () => {
    expect(['0.002', '0.03', '0.05', '0.1', '0.11'].map(cointegrationWord)).to.deep.equal([
      'Very likely',
      'Likely',
      'Possible',
      'Possible',
      'No evidence',
    ]);
  });

  it('say by what and over which span, as the screener does', () => {
    expect(evidenceWords('0.02345', spanWords({ lookback: '30d', interval: '1h' }))).to.equal(
      'p 0.023, 30 days of hourly closes',
    );
    expect(evidenceWords('0.00001', screenedSpan(2_160))).to.equal('p < 0.001, 90 days of hourly closes');
    expect(spanWords({ lookback: '24h', interval: '5m' })).to.equal('24 hours of 5-minute closes');
    expect(spanWords({ lookback: '90d', interval: '4h' })).to.equal('90 days of 4-hour closes');
  });

  it('know how many hours they are of: no half-life is longer', () => {
    expect(dataHours({ observations: 2_160 }), 'the screener').to.equal(2_160);
    expect(dataHours({ observations: 289, lookback: '24h' })).to.equal(24);
    expect(dataHours({ observations: 720, lookback: '30d' })).to.equal(720);
    expect(dataHours({ observations: 540, lookback: '90d' })).to.equal(2_160);
  });
});

describe('what a saved basket did in 24 hours', () => {
  const price = (mark: string, price24hAgo: string) => ({ mark, price24hAgo });
  const prices = new Map([
    ['BTC-PERP', price('121', '100')],
    ['ETH-PERP', price('16', '10')],
    ['NEW-PERP', price('5', '0')],
  ]);
  const leg = (id: string, side: 'BUY' | 'SELL', weight: number) => ({ id, side, weight });

  it('is the change of its ratio at its own weights', () => {
    const half = [leg('BTC-PERP', 'BUY', 500_000), leg('ETH-PERP', 'SELL', 500_000)];
    // √1.21 ÷ √1.6
    expect(Number(weightedChange(half, prices))).to.be.closeTo(1.1 / Math.sqrt(1.6) - 1, 1e-8);
    const quarter = [leg('BTC-PERP', 'BUY', 750_000), leg('ETH-PERP', 'SELL', 250_000)];
    expect(Number(weightedChange(quarter, prices))).to.be.closeTo(1.21 ** 0.75 / 1.6 ** 0.25 - 1, 1e-8);
    expect(weightedChange([leg('BTC-PERP', 'BUY', 1_000_000)], prices)).to.equal('0.21000000');
  });

  it('is not known where a price of now or of then is not', () => {
    expect(weightedChange([leg('NEW-PERP', 'BUY', 1_000_000)], prices)).to.equal(null);
    expect(weightedChange([leg('GONE-PERP', 'BUY', 1_000_000)], prices)).to.equal(null);
    expect(weightedChange([], prices)).to.equal(null);
  });
});

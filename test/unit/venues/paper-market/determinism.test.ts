import { expect } from 'chai';
import fc from 'fast-check';
import { predictionFeed } from '../../../../gateway/domain/feed.ts';
import type { Side } from '../../../../gateway/domain/model.ts';
import { createPaperMarket } from '../../../../gateway/venues/paper/market/market.ts';
import type { PaperMarket } from '../../../../gateway/venues/paper/market/market-types.ts';
import { PREDICTION_MARKETS } from '../../../../gateway/venues/paper/market/prediction-process.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import { forAll, propertyRuns, weightedRecord } from '../../../support/property-runs.ts';

const START = Date.UTC(2025, 6, 26, 10, 59, 40);
const IDS = ['BTC-PERP', 'NEAR-PERP', 'kPEPE-PERP', 'CANTO-PERP'];
const FEEDS = PREDICTION_MARKETS.map(({ source, marketKey }) => predictionFeed(source, marketKey));

type Action =
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'take'; readonly id: string; readonly side: Side; readonly quantity: number }
  | { readonly kind: 'shock'; readonly id: string; readonly factor: number }
  | { readonly kind: 'read' };

const actions = fc.array(
  fc.oneof(
    weightedRecord(4, { kind: fc.constant('advance' as const), ms: fc.nat({ max: 15_000 }) }),
    weightedRecord(4, {
      kind: fc.constant('take' as const),
      id: fc.constantFrom(...IDS),
      side: fc.constantFrom<Side>('BUY', 'SELL'),
      quantity: fc.nat({ max: 20_000 }),
    }),
    weightedRecord(1, {
      kind: fc.constant('shock' as const),
      id: fc.constantFrom(...IDS, ...FEEDS),
      factor: fc.double({ min: 0.5, max: 2, noNaN: true }),
    }),
    weightedRecord(1, { kind: fc.constant('read' as const) }),
    // A gateway that was off.
    weightedRecord(1, {
      kind: fc.constant('advance' as const),
      ms: fc.integer({ min: 1_100_000, max: 9e7 }),
    }),
  ),
  { maxLength: 14 },
);

function market(seed: number, connector: 'paper' | 'paper-cross' = 'paper'): PaperMarket {
  return createPaperMarket({ connector, seed, startAt: START, profile: PAPER_PROFILES.realistic });
}

/** Everything that a reader can see. */
function face(paper: PaperMarket) {
  return {
    feeds: paper.feeds(),
    instruments: paper.instruments.map(({ id }) => ({
      quote: paper.quote(id),
      funding: paper.funding(id),
      stats: paper.stats(id),
      bids: paper.levels(id, 'BUY', 6),
      asks: paper.levels(id, 'SELL', 6),
    })),
  };
}

function perform(paper: PaperMarket, action: Action): unknown {
  switch (action.kind) {
    case 'advance':
      return paper.advanceTo(paper.at + action.ms);
    case 'take':
      return paper.take(
        action.id,
        action.side,
        `${action.quantity}`,
        action.side === 'BUY' ? '999999999' : '0',
      );
    case 'shock':
      return paper.shock(action.id, action.factor);
    case 'read':
      return face(paper);
  }
}

describe('paper market: determinism', () => {
  it('gives one market per seed and sequence of inputs, on either venue', () =>
    forAll(
      [fc.nat(), fc.constantFrom('paper', 'paper-cross'), actions],
      propertyRuns(25, 5),
      (seed, connector, sequence) => {
        const [a, b] = [market(seed, connector), market(seed, connector)];
        for (const action of sequence) {
          const answer = perform(a, action);
          // Reading is no input: b is not read and must not differ for it.
          if (action.kind !== 'read') expect(perform(b, action)).to.deep.equal(answer);
        }
        expect(b.snapshot()).to.equal(a.snapshot());
        expect(face(b)).to.deep.equal(face(a));
      },
    ));

  it('is the same in one call or in many', () =>
    forAll(
      [fc.array(fc.nat({ max: 9_000 }), { minLength: 1, maxLength: 12 })],
      propertyRuns(25, 5),
      (pieces) => {
        const [whole, split] = [market(3), market(3)];
        for (const paper of [whole, split]) paper.take('NEAR-PERP', 'BUY', '9000', '99');
        let now = START;
        const changed = new Set<string>();
        for (const ms of pieces) {
          now += ms;
          for (const id of split.advanceTo(now)) changed.add(id);
        }
        expect(new Set(whole.advanceTo(now))).to.deep.equal(changed);
        expect(face(split)).to.deep.equal(face(whole));
        expect(split.snapshot()).to.equal(whole.snapshot());
        expect(split.settlements(0, now)).to.deep.equal(whole.settlements(0, now));
      },
    ));

  it('continues identically from a snapshot, in a market of any seed', () =>
    forAll([actions, actions], propertyRuns(25, 5), (before, after) => {
      const original = market(11);
      for (const action of before) perform(original, action);
      const text = original.snapshot();
      const restored = market(99);
      restored.advanceTo(START + 20_000);
      restored.restore(text);
      expect(restored.at).to.equal(original.at);
      expect(restored.snapshot()).to.equal(text);
      expect(face(restored)).to.deep.equal(face(original));
      for (const action of after) {
        expect(perform(restored, action)).to.deep.equal(perform(original, action));
      }
      expect(restored.snapshot()).to.equal(original.snapshot());
      expect(restored.settlements(original.at - 3_600_000, original.at)).to.deep.equal(
        original.settlements(original.at - 3_600_000, original.at),
      );
    }));

  it('goes on from a snapshot of before there were feeds and trades', () => {
    const original = market(5);
    original.advanceTo(START + 30_000);
    const { world, ...rest } = JSON.parse(original.snapshot());
    const { last, ...board } = rest.board;
    expect([world, last]).to.not.include(undefined);
    const old = JSON.stringify({ ...rest, board, version: 1 });
    const [restored, again] = [market(6), market(7)];
    for (const paper of [restored, again]) {
      paper.restore(old);
      expect(paper.quote('BTC-PERP')).to.deep.include({ last: paper.quote('BTC-PERP')?.ask });
      expect(paper.feeds()[0]?.value).to.equal(original.feeds()[0]?.value);
      paper.advanceTo(START + 60_000);
    }
    expect(face(restored)).to.deep.equal(face(again));
    original.advanceTo(START + 60_000);
    expect(restored.quote('BTC-PERP')?.mark).to.equal(original.quote('BTC-PERP')?.mark);
  });

  it('goes on from the prices of a snapshot of the process before', () => {
    const original = market(5);
    original.advanceTo(START + 30_000);
    const { price, ...rest } = JSON.parse(original.snapshot());
    const { progress, ...kept } = price;
    expect(progress).to.not.equal(undefined);
    const other = { anchor: kept.logPrice, volatility: kept.logPrice, marketVolatility: 0, altSigma: 0 };
    const old = JSON.stringify({ ...rest, price: { ...kept, ...other } });
    const [restored, again] = [market(6), market(7)];
    for (const paper of [restored, again]) {
      paper.restore(old);
      expect(face(paper)).to.deep.equal(face(original));
      paper.advanceTo(START + 90_000);
    }
    expect(restored.snapshot()).to.equal(again.snapshot());
    const [before, after] = [original, restored].map((paper) => Number(paper.quote('BTC-PERP')?.mark));
    expect((after ?? 0) / (before ?? 1)).to.be.closeTo(1, 0.02);
  });

  it('refuses a snapshot of another venue, another version or damaged text', () => {
    const text = market(1).snapshot();
    expect(() => market(1, 'paper-cross').restore(text)).to.throw('not of the instruments of paper-cross');
    expect(() => market(1).restore(text.replace('"version":2', '"version":0'))).to.throw('unknown version');
    expect(() => market(1).restore(text.replace('"logPrice":[', '"logPrice":["x",'))).to.throw('damaged');
    expect(() => market(1).restore(text.slice(0, -20))).to.throw();
    expect(() => market(1).restore('[]')).to.throw('damaged');
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { BTC_DOMINANCE, predictionFeed } from '../../../../gateway/domain/feed.ts';
import { createPaperMarket } from '../../../../gateway/venues/paper/market/market.ts';
import type { PaperMarket } from '../../../../gateway/venues/paper/market/market-types.ts';
import {
  PREDICTION_MARKETS,
  PredictionProcess,
} from '../../../../gateway/venues/paper/market/prediction-process.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import { forAll, propertyRuns } from '../../../support/property-runs.ts';

const START = Date.UTC(2025, 6, 26, 10, 30);
const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

function market(connector: 'paper' | 'paper-cross' = 'paper', seed = 7): PaperMarket {
  return createPaperMarket({ connector, seed, startAt: START, profile: PAPER_PROFILES.realistic });
}

function reading(paper: PaperMarket, name: string) {
  const found = paper.feeds().find((feed) => feed.name === name);
  if (found === undefined) throw new Error(`no feed ${name}`);
  return found;
}
const dominance = (paper: PaperMarket) => Number(reading(paper, BTC_DOMINANCE).value);
const [FIRST = ''] = PREDICTION_MARKETS.map(({ source, marketKey }) => predictionFeed(source, marketKey));

describe('paper market: Bitcoin dominance', () => {
  it('is a share in percent, near where it was when the prices were taken', () => {
    const { value } = reading(market(), BTC_DOMINANCE);
    expect(value).to.match(/^\d{2}(\.\d{1,4})?$/);
    expect(Number(value)).to.be.within(58, 66);
  });

  it("moves as the share of BTC's capitalisation does when a price moves", () => {
    const factor = 1.3;
    const up = market();
    const before = dominance(up) / 100;
    up.shock('BTC-PERP', factor);
    // BTC's capitalisation becomes factor times as large, the rest stays: f·d / (f·d + 1 − d)
    expect(dominance(up)).to.be.closeTo((100 * factor * before) / (factor * before + 1 - before), 0.001);

    const down = market();
    down.shock('ETH-PERP', factor);
    expect(dominance(down)).to.be.lessThan(100 * before);
    const still = market();
    // Too small to be counted.
    still.shock('CANTO-PERP', factor);
    expect(dominance(still)).to.equal(100 * before);
  });

  it('follows the simulated market once a second, and over a gap', () => {
    const paper = market();
    const values = new Set<string>();
    for (let second = 1; second <= 120; second += 1) {
      const { value, updatedAt } = reading(paper, BTC_DOMINANCE);
      values.add(value);
      paper.advanceTo(START + second * SECOND - 100);
      expect(reading(paper, BTC_DOMINANCE)).to.deep.include({ value, updatedAt });
      paper.advanceTo(START + second * SECOND);
      expect(reading(paper, BTC_DOMINANCE).updatedAt).to.equal(START + second * SECOND);
    }
    expect(values.size).to.be.greaterThan(60);
    const before = dominance(paper);
    paper.advanceTo(START + DAY);
    expect(reading(paper, BTC_DOMINANCE).updatedAt).to.equal(START + DAY);
    expect(dominance(paper)).to.be.within(45, 78);
    expect(dominance(paper)).to.not.equal(before);
  });
});

describe('paper market: prediction markets', () => {
  it('ask a handful of questions of one source, each by its own key', () => {
    const feeds = market().feeds();
    const markets = feeds.flatMap(({ prediction }) => (prediction === null ? [] : [prediction]));
    expect(markets).to.deep.equal(PREDICTION_MARKETS);
    expect(markets.length).to.be.within(4, 12);
    expect(new Set(markets.map(({ source }) => source)).size).to.equal(1);
    expect(new Set(feeds.map(({ name }) => name)).size).to.equal(feeds.length);
    for (const { marketKey, question } of markets) {
      expect(marketKey).to.match(/^[a-z0-9-]{1,64}$/);
      expect(question).to.match(/\?$/);
    }
    for (const { value, prediction } of feeds) {
      if (prediction !== null) expect(value).to.match(/^\d{1,2}(\.\d{1,2})?$/);
    }
  });

  it('move a little every second, each in its own way', () => {
    const paper = market();
    const paths = PREDICTION_MARKETS.map(() => new Set<string>());
    for (let second = 1; second <= 60; second += 1) {
      paper.advanceTo(START + second * SECOND);
      for (const [i, { value }] of paper.feeds().slice(1).entries()) paths[i]?.add(value);
    }
    for (const [i, path] of paths.entries()) {
      const values = [...path].map(Number);
      const range = Math.max(...values) - Math.min(...values);
      expect(range, PREDICTION_MARKETS[i]?.marketKey).to.be.greaterThan(0).and.to.be.lessThan(5);
    }
  });

  it('never leave 0–100, whatever the seed and however hard they are pushed', () =>
    forAll(
      [
        fc.nat(),
        fc.array(
          fc.record({
            i: fc.nat({ max: PREDICTION_MARKETS.length - 1 }),
            exponent: fc.integer({ min: -300, max: 300 }),
            days: fc.integer({ min: 1, max: 400 }),
          }),
          { maxLength: 20 },
        ),
      ],
      propertyRuns(100),
      (seed, pushes) => {
        const process = new PredictionProcess(seed);
        let at = START;
        for (const { i, exponent, days } of pushes) {
          process.shock(i, 10 ** exponent);
          process.second(at + SECOND);
          process.jump(at + SECOND, at + days * DAY);
          at += days * DAY;
          for (let k = 0; k < PREDICTION_MARKETS.length; k += 1) {
            expect(process.percent(k)).to.be.greaterThan(0.05).and.to.be.lessThan(99.95);
          }
        }
      },
    ));

  it('come back to a level of their own: log odds forget over ten days', () => {
    const process = new PredictionProcess(1);
    const paths = PREDICTION_MARKETS.map((): number[] => []);
    const logOdds = (i: number) => Math.log(process.percent(i) / (100 - process.percent(i)));
    for (let n = 0; n < 4_000; n += 1) {
      process.jump(START + n * 10 * DAY, START + (n + 1) * 10 * DAY);
      for (const [i, path] of paths.entries()) path.push(logOdds(i));
    }
    const mean = (values: readonly number[]) => values.reduce((total, x) => total + x, 0) / values.length;
    for (const path of paths) {
      const level = mean(path);
      const variance = mean(path.map((x) => (x - level) ** 2));
      const lagged = mean(path.slice(1).map((x, n) => (x - level) * ((path[n] ?? 0) - level)));
      expect(Math.sqrt(variance)).to.be.within(0.5, 1.1);
      // e^(−10 days ÷ 10 days)
      expect(lagged / variance).to.be.closeTo(Math.exp(-1), 0.06);
      // The far past and the far future have one level.
      expect(mean(path.slice(0, 2_000))).to.be.closeTo(mean(path.slice(2_000)), 0.15);
    }
  });

  it('are pushed by the odds in a scenario', () => {
    const paper = market();
    const odds = () => Number(reading(paper, FIRST).value) / (100 - Number(reading(paper, FIRST).value));
    const before = odds();
    paper.shock(FIRST, 2);
    expect(odds() / before).to.be.closeTo(2, 0.01);
    const others = paper.feeds().slice(2);
    expect(others).to.deep.equal(market().feeds().slice(2));
    expect(() => paper.shock(FIRST, -1)).to.throw(RangeError);
    expect(() => paper.shock(predictionFeed('nobody', 'knows'), 2)).to.throw(RangeError);
  });
});

describe('paper market: feeds', () => {
  it('are one world on both venues of a seed, and another one of another seed', () => {
    const [a, b, other] = [market('paper'), market('paper-cross'), market('paper', 8)];
    for (const paper of [a, b, other]) paper.advanceTo(START + 3 * MINUTE);
    expect(b.feeds()).to.deep.equal(a.feeds());
    for (const [i, { value }] of other.feeds().entries()) expect(value).to.not.equal(a.feeds()[i]?.value);
  });

  it('are the same array until one of them is renewed', () => {
    const paper = market();
    const feeds = paper.feeds();
    paper.advanceTo(START + 900);
    expect(paper.feeds()).to.equal(feeds);
    paper.advanceTo(START + SECOND);
    expect(paper.feeds()).to.not.equal(feeds);
  });

  it('have names that no two prediction markets share', () => {
    expect(predictionFeed('a', 'b","c')).to.not.equal(predictionFeed('a","b', 'c'));
    expect(predictionFeed('a:b', 'c')).to.not.equal(predictionFeed('a', 'b:c'));
  });
});

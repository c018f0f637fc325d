/** A ratio among its own past: the page's figures are the gateway's, and its lines stand where something would fire. */
import { expect } from 'chai';
import { ratioLevel, transformed, windowFigures } from '../../../gateway/domain/transform.ts';
import { addLeg, EMPTY_BASKET } from '../../../renderer/features/basket/basket.ts';
import { bracketProposal, moveText, sideOfLine } from '../../../renderer/features/level-moves/proposals.ts';
import { spreadLines } from '../../../renderer/features/ratio-chart/guide-lines.ts';
import { type ChartLine, positionFacts } from '../../../renderer/features/ratio-chart/levels.ts';
import { whyNoPast } from '../../../renderer/features/ratio-chart/past-words.ts';
import { transformScale } from '../../../renderer/features/ratio-chart/scale.ts';
import {
  levelOfRatio,
  pastOf,
  ratioOfLevel,
  windowOf,
} from '../../../renderer/features/ratio-chart/transform.ts';
import { whyNoZ } from '../../../renderer/screens/positions/why-no-z.ts';
import { chartLines } from '../../../renderer/screens/trade/chart-lines.ts';
import { comparedBy, lookbacks, usualCompared } from '../../../renderer/screens/trade/compared.ts';
import { bracketPatch, triggerPatch } from '../../../renderer/screens/trade/moves.ts';
import { NEW_TICKET } from '../../../renderer/screens/trade/ticket.ts';
import { alertRow, bracketRow, positionLegRow, positionRow, triggerRow } from './wire-rows.ts';

const HOUR_MS = 3_600_000;
const at = (hour: number) => new Date(hour * HOUR_MS).toISOString();
const closesOf = (...ratios: readonly number[]) =>
  ratios.map((close, hour) => ({ start: at(hour), close: String(close) }));

describe('a ratio among its own past', () => {
  const ratios = [25, 25.5, 24.8, 26.1, 25.2, 24.4];

  it('has the figures of the gateway, both ways', () => {
    const own = windowOf(closesOf(...ratios), 6);
    const theirs = windowFigures(ratios.map(Math.log), 0);
    expect(own?.mean).to.be.closeTo(theirs.mean, 1e-12);
    expect(own?.deviation).to.be.closeTo(theirs.deviation, 1e-12);
    if (own === null) throw new Error('There is no window');
    for (const kind of ['Z_SCORE', 'SPREAD'] as const) {
      expect(levelOfRatio(kind, 26.4, own)).to.be.closeTo(Number(transformed(kind, '26.4', theirs)), 1e-9);
      expect(ratioOfLevel(kind, -1.5, own)).to.be.closeTo(Number(ratioLevel(kind, '-1.5', theirs)), 1e-9);
    }
    // By hand: the spread of 1, e and e² is 0, and their deviation 1.
    const plain = windowOf(closesOf(1, Math.E, Math.E ** 2), 3);
    expect(plain?.mean).to.be.closeTo(1, 1e-12);
    expect(plain?.deviation).to.be.closeTo(1, 1e-12);
  });

  it('has none where fewer than half of the hours are known, and no z-score of a ratio that stood still', () => {
    expect(windowOf(closesOf(...ratios), 13)).to.equal(null);
    const still = windowOf(closesOf(25, 25, 25), 3);
    if (still === null) throw new Error('There is no window');
    expect(levelOfRatio('Z_SCORE', 25, still)).to.equal(null);
    expect(levelOfRatio('SPREAD', 25, still)).to.be.closeTo(0, 1e-12);
  });

  it('has no guides for a spread without a deviation, which would all be at zero', () => {
    expect(spreadLines(0)).to.deep.equal([]);
    expect(spreadLines(1.5).map(({ level }) => level)).to.deep.equal([3, 0, -3]);
  });

  it('says why no hour of it can be compared, with the hours of the look-back alone', () => {
    const compared = { transform: 'Z_SCORE', lookback: 24 } as const;
    // Many hours, of which five are of the last day.
    const closes = closesOf(...Array.from({ length: 100 }, () => 25));
    const until = 119 * HOUR_MS;
    expect(whyNoPast(compared, closes, { window: null, until })).to.deep.equal({
      title: 'Not enough hours yet',
      reason: '5 of the 12 hours are known that 24 h back need.',
    });
    const still = { window: windowOf(closes, 24), until: 100 * HOUR_MS };
    expect(whyNoPast(compared, closes, still).title).to.equal('The ratio stood still');
    const moving = { window: windowOf(closesOf(...ratios), 6), until };
    expect(whyNoPast(compared, closes, moving).title).to.equal('No hours to compare yet');
  });

  it('says why it stands nowhere, each cause by its own name', () => {
    const held = [{ quantity: '1' }, { quantity: '2' }];
    const still = { closes: closesOf(25, 25), window: { mean: Math.log(25), deviation: 0 }, error: null };
    const why = (own: Partial<Parameters<typeof whyNoZ>[0]>) =>
      whyNoZ({ at: 'now', legs: held, lookback: 240, ratio: 25, past: still, ...own });
    expect(why({})).to.equal('the ratio stood still in the last 240 h');
    const few = { ...still, window: null };
    expect(why({ past: few })).to.equal('too few of the last 240 h are known');
    const unread = { ...few, closes: undefined };
    expect(why({ past: unread })).to.equal(undefined);
    expect(why({ past: { ...unread, error: new Error('503') } })).to.equal(
      'the last 240 h could not be read',
    );
    expect(why({ ratio: null })).to.equal('the price of a leg is not known now');
    const half = [...held, { quantity: '0' }];
    expect(why({ at: 'entry', ratio: null, legs: half })).to.equal(
      'a leg is not held: there is no ratio at entry',
    );
    expect(why({ at: 'entry', ratio: null })).to.equal('the ratio at entry is not known');
    const many = Array.from({ length: 20 }, () => ({ quantity: '1' }));
    expect(why({ legs: many, lookback: 2_160, past: unread })).to.equal(
      '2160 h of so many legs are more than can be read',
    );
  });

  it('compares each hour with those before it alone, and skips those that were not recorded', () => {
    const closes = closesOf(...ratios).filter((_, hour) => hour !== 2);
    const past = pastOf({ transform: 'SPREAD', lookback: 3 }, closes, 0);
    // Hours 0, 1 before the fourth; 1 and 3 before the fifth; 3 and 4 before the last.
    const mean = (...hours: readonly number[]) =>
      hours.reduce((sum, hour) => sum + Math.log(ratios[hour] ?? 0), 0) / hours.length;
    const expected = [
      [3, mean(0, 1)],
      [4, mean(1, 3)],
      [5, mean(3, 4)],
    ] as const;
    expect(past.map(({ time }) => time)).to.deep.equal(expected.map(([hour]) => at(hour)));
    // Hours that were not asked for have no value.
    const later = pastOf({ transform: 'SPREAD', lookback: 3 }, closes, HOUR_MS);
    expect(later.map(({ time }) => time)).to.deep.equal([at(4), at(5)]);
    for (const [index, [hour, middle]] of expected.entries())
      expect(past[index]?.value).to.be.closeTo(100 * (Math.log(ratios[hour] ?? 0) - middle), 1e-9);
  });
});

describe('lines among the past of a ratio', () => {
  const LEGS = [
    { id: 'BTC-PERP', side: 'BUY', weight: 500_000 },
    { id: 'ETH-PERP', side: 'SELL', weight: 500_000 },
  ] as const;
  const among = { transform: 'Z_SCORE', lookback: 240 } as const;
  const subject = { metric: 'PRICE_RATIO', among } as const;
  /** A deviation of a tenth around 25. */
  const scale = transformScale(among, { mean: Math.log(25), deviation: 0.1 });
  const byZ = { type: 'PRICE_RATIO', direction: 'LESS_THAN', ...among } as const;
  const held = positionRow({
    legs: [
      positionLegRow({ quantity: '0.01', entryPrice: '100000' }),
      positionLegRow({
        symbol: 'ETH-PERP',
        ticker: 'ETH',
        side: 'SELL',
        quantity: '0.25',
        entryPrice: '4000',
      }),
    ],
    entryPrice: String(25 * Math.exp(-0.2)),
    entryRatio: '5',
    takeProfit: bracketRow({ type: 'PRICE_RATIO', value: '0', ...among }),
    stopLoss: bracketRow({ type: 'PERCENTAGE', value: '3' }),
  });
  const sources = {
    basket: addLeg(addLeg(EMPTY_BASKET, 'BTC-PERP', 'BUY'), 'ETH-PERP', 'SELL'),
    ticket: NEW_TICKET,
    rungs: null,
    resting: [
      triggerRow({ id: 'by z', condition: { ...byZ, value: '-2.5' } }),
      triggerRow({ id: 'longer', condition: { ...byZ, value: '-2.5', lookback: 720 } }),
      triggerRow({ id: 'spread', condition: { ...byZ, value: '-2.5', transform: 'SPREAD' } }),
      triggerRow({ id: 'plain', condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '24' } }),
    ],
    alerts: [
      alertRow({
        id: 'told',
        legs: LEGS.map(({ id, side }) => ({ symbol: id, side, weight: '0.5' })),
        condition: { ...byZ, value: '2' },
      }),
    ],
    plan: null,
    held,
    subject,
    scale,
  };

  it('are what compares just that: of its kind and its look-back, below 0 too, and the entry', () => {
    expect(chartLines(sources).map(({ id, value }) => [id, value])).to.deep.equal([
      ['entry', '-2.00'],
      ['held-tp', '0'],
      ['by z', '-2.5'],
      ['told', '2'],
    ]);
    const ratio = chartLines({ ...sources, subject: { metric: 'PRICE_RATIO' }, scale: undefined });
    expect(ratio.map(({ id }) => id)).to.deep.equal(['entry', 'held-sl', 'plain']);
    const longer = chartLines({ ...sources, subject: { ...subject, among: { ...among, lookback: 720 } } });
    expect(longer.map(({ id }) => id)).to.deep.equal(['entry', 'longer']);
    const cancels = chartLines(sources).flatMap(({ cancel }) => (cancel === undefined ? [] : [cancel.at]));
    expect(cancels).to.deep.equal(['Z-score of the price ratio (240 h) 0', '−2.50', '2.00']);
  });

  it('typed in the ticket are drawn as drafts', () => {
    const watch = { ...NEW_TICKET.watch, transform: 'Z_SCORE', value: '-1.5', lookback: '240' } as const;
    const ticket = { ...NEW_TICKET, kind: 'TRIGGER', watch } as const;
    const drafts = (typed: typeof sources.ticket) =>
      chartLines({ ...sources, held: null, ticket: typed }).flatMap(({ isDraft, id, value }) =>
        isDraft === true ? [[id, value]] : [],
      );
    expect(drafts(ticket)).to.deep.equal([['typed-trigger', '-1.5']]);
    expect(drafts({ ...ticket, watch: { ...watch, lookback: '' } })).to.deep.equal([]);
  });

  it('set a bracket, a trigger and the ticket’s bracket at the level as it is read', () => {
    const facts = positionFacts(held, subject, LEGS);
    const stop = bracketProposal('stopLoss', held, -3, facts, scale);
    expect(stop).to.deep.include({ type: 'PRICE_RATIO', value: '-3.00', transformed: among });
    // One deviation, a tenth, below the entry: half of it is lost, to the first order.
    if (stop?.what !== 'bracket') throw new Error('It is no bracket');
    expect(Number(stop.usd)).to.be.closeTo(-0.05 * (facts.gross ?? 0), 0.01);
    expect(stop.at).to.equal('−3.00, a ratio of 18.5205 in this hour');
    const entry = { move: { of: 'entry' } } as ChartLine;
    expect(sideOfLine(entry, -1.9, facts, scale)).to.equal('takeProfit');
    expect(sideOfLine(entry, -2.1, facts, scale)).to.equal('stopLoss');
    const settings = { locale: 'en-US' } as Parameters<typeof moveText>[0];
    expect(moveText(settings, entry, -3, 'stopLoss', facts, scale)).to.match(/^→ SL −3\.00 · ≈ −\$100/);

    const trigger = triggerPatch(NEW_TICKET, subject, -1.234, 25, scale);
    expect(trigger.watch).to.include({
      ...{ type: 'PRICE_RATIO', transform: 'Z_SCORE', lookback: '240' },
      ...{ direction: 'LESS_THAN', value: '-1.23' },
    });
    expect(triggerPatch(NEW_TICKET, subject, 0.5, 25, scale).watch?.direction).to.equal('MORE_THAN');
    const patch = bracketPatch('takeProfit', NEW_TICKET, 1, () => facts, { ...sources, scale });
    expect(patch?.takeProfit).to.deep.include({ isOn: true, type: 'PRICE_RATIO', transformed: among });
  });

  it('begin with what the position or the first order compares, and offer every look-back that has one', () => {
    const waiting = comparedBy(sources);
    expect(usualCompared(LEGS, waiting)).to.deep.equal({ metric: 'PRICE_RATIO', ...among });
    expect(lookbacks(usualCompared(LEGS, waiting), waiting, LEGS)).to.deep.equal([
      { hours: 24, levels: 0 },
      { hours: 168, levels: 0 },
      { hours: 240, levels: 3 },
      { hours: 720, levels: 1 },
    ]);
    expect(usualCompared([LEGS[0]], [])).to.deep.equal({ metric: 'WEIGHTED_RATIO', ...among });
  });
});

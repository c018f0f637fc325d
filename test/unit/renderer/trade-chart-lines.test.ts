/** Lines on the ratio chart stand where what they show would act. */
import { expect } from 'chai';
import { addLeg, EMPTY_BASKET } from '../../../renderer/features/basket/basket.ts';
import { bracketProposal, sideOfLine } from '../../../renderer/features/level-moves/proposals.ts';
import { figureText } from '../../../renderer/features/ratio-chart/figure.ts';
import {
  bracketGain,
  bracketLevel,
  bracketValueAt,
  type ChartLine,
  conditionLine,
  positionEntry,
  positionFacts,
} from '../../../renderer/features/ratio-chart/levels.ts';
import { transformScale } from '../../../renderer/features/ratio-chart/scale.ts';
import { pnlShare, subjectValue } from '../../../renderer/features/ratio-chart/subject.ts';
import {
  chartLines,
  type LineSources,
  type Plan,
  ticketFacts,
} from '../../../renderer/screens/trade/chart-lines.ts';
import { comparedBy } from '../../../renderer/screens/trade/compared.ts';
import { heldFacts, leftOut } from '../../../renderer/screens/trade/held-on-chart.ts';
import { NEW_TICKET } from '../../../renderer/screens/trade/ticket.ts';
import {
  type AlertRow,
  alertRow,
  type BracketRow,
  bracketRow,
  type PositionRow,
  positionLegRow,
  positionRow,
  triggerRow,
} from './wire-rows.ts';

const LEGS = [
  { id: 'BTC-PERP', side: 'BUY', weight: 500_000 },
  { id: 'ETH-PERP', side: 'SELL', weight: 500_000 },
] as const;
const RATIO = { metric: 'PRICE_RATIO' } as const;
const WEIGHTED = { metric: 'WEIGHTED_RATIO' } as const;
const PRICES: Readonly<Record<string, number>> = { 'BTC-PERP': 100_000, 'ETH-PERP': 4_000 };
const priceOf = (id: string) => PRICES[id] ?? null;
/** A position of $2,000 in the pair, at a ratio of 25. */
const HELD = positionRow({
  legs: [
    positionLegRow({ quantity: '0.01', entryPrice: '100000' }),
    positionLegRow({ symbol: 'ETH-PERP', ticker: 'ETH', side: 'SELL', quantity: '0.25', entryPrice: '4000' }),
  ],
  entryPrice: '25',
  entryRatio: '5',
});
const TRADE = {
  subject: RATIO,
  basket: addLeg(addLeg(EMPTY_BASKET, 'BTC-PERP', 'BUY'), 'ETH-PERP', 'SELL'),
  ticket: NEW_TICKET,
  rungs: null,
  resting: [],
  alerts: [],
  plan: null,
};

describe('chart of a basket', () => {
  it('shows ratios by their definitions', () => {
    expect(subjectValue(RATIO, LEGS, priceOf)).to.be.closeTo(25, 1e-9);
    expect(subjectValue(WEIGHTED, LEGS, priceOf)).to.be.closeTo(5, 1e-9);
    expect(subjectValue({ metric: 'PRICE', symbol: 'ETH-PERP' }, LEGS, priceOf)).to.equal(4_000);
    expect(subjectValue(RATIO, [...LEGS, { id: 'NEW', side: 'BUY', weight: 1 }], priceOf)).to.equal(null);
    expect(subjectValue(RATIO, [], priceOf)).to.equal(null);
  });

  it('places a take-profit in percent where the basket gains that much', () => {
    const facts = { subject: RATIO, legs: LEGS, entry: 25, gross: 1_000 };
    const target = bracketLevel('take-profit', { type: 'PERCENTAGE', value: '1' }, facts);
    // Half of a 2 % rise of the ratio, less the second order.
    expect(Number(target?.value)).to.be.closeTo(25 * Math.exp(0.02), 1e-9);
    expect(target?.isNear).to.equal(true);
    const stop = bracketLevel('stop-loss', { type: 'DOLLAR', value: '10' }, facts);
    expect(Number(stop?.value)).to.be.closeTo(25 * Math.exp(-0.02), 1e-9);
    const worth = bracketLevel('stop-loss', { type: 'POSITION_VALUE', value: '990' }, facts);
    expect(Number(worth?.value)).to.be.closeTo(25 * Math.exp(-0.02), 1e-9);
  });

  it('draws levels of the ratio exactly, and only on the ratio that they watch', () => {
    const facts = { subject: RATIO, legs: LEGS, entry: 25, gross: 1_000 };
    expect(bracketLevel('stop-loss', { type: 'PRICE_RATIO', value: '24' }, facts)).to.deep.equal({
      value: '24',
      isNear: false,
    });
    expect(bracketLevel('stop-loss', { type: 'WEIGHTED_RATIO', value: '4.9' }, facts)).to.equal(null);
    expect(bracketLevel('stop-loss', { type: 'PERCENTAGE', value: '' }, facts)).to.equal(null);
    expect(bracketLevel('stop-loss', { type: 'PERCENTAGE', value: '5' }, { ...facts, entry: null })).to.equal(
      null,
    );
  });

  it('turns the price of shorts alone, whose ratio is its inverse', () => {
    const shorts = [{ id: 'BTC-PERP', side: 'SELL', weight: 1 }] as const;
    const facts = { subject: RATIO, legs: shorts, entry: 1 / 50_000, gross: 1_000 };
    const stop = { type: 'PRICE', value: '62500' } as const;
    const drawn = bracketLevel('stop-loss', stop, facts);
    expect([Number(drawn?.value), drawn?.isNear]).to.deep.equal([0.000016, false]);
    expect(Number(bracketValueAt('stop-loss', 'PRICE', 0.000016, facts))).to.equal(62_500);
    // A level moved to the basket's gain means a fallen price of this short.
    expect(Number(bracketValueAt('take-profit', 'PRICE', 0.000025, facts))).to.equal(40_000);
    expect(bracketGain('stop-loss', stop, facts)).to.be.closeTo(Math.log(50_000 / 62_500), 1e-12);
    const long = { ...facts, legs: [{ ...shorts[0], side: 'BUY' as const }], entry: 50_000 };
    expect(bracketLevel('stop-loss', { type: 'PRICE', value: '40000' }, long)?.value).to.equal('40000');
  });

  it('takes the entry of a pair of unequal sides to a target where its ratio is meant to go, and to a stop on the other side', () => {
    const legs = [
      { ...LEGS[0], weight: 600_000 },
      { ...LEGS[1], weight: 400_000 },
    ];
    const facts = { subject: RATIO, legs, entry: 25, gross: 1_000 };
    const line = { move: { of: 'entry' } } as ChartLine;
    expect(sideOfLine(line, 26, facts)).to.equal('takeProfit');
    expect(sideOfLine(line, 24, facts)).to.equal('stopLoss');
    // The ratio of three legs of unequal sides tells nothing.
    const three = [...legs, { id: 'SOL-PERP', side: 'BUY', weight: 100_000 } as const];
    expect(sideOfLine(line, 26, { ...facts, legs: three })).to.equal(null);
  });

  it('draws a trailing stop of the position where it would fire now, and says what was asked', () => {
    const stop = (type: BracketRow['type'], value: string, peak: string | null) =>
      bracketRow({ type, value, peak, trailing: { delta: '1', activation: null } });
    const stopLine = (stopLoss: BracketRow) =>
      chartLines({ ...TRADE, held: { ...HELD, stopLoss } }).find(({ kind }) => kind === 'stop-loss');
    // 6 % were gained at best: the stop follows one behind, on the winning side of the entry.
    const past = stopLine(stop('PERCENTAGE', '3', '6'));
    expect(Number(past?.value)).to.be.closeTo(25 * Math.exp(0.1), 1e-9);
    expect(past?.label).to.equal('SL ≈ −3 %, trailing 1 %, fires at +5.00 %');
    expect(past?.move, 'it follows the market').to.equal(undefined);
    const waits = stopLine(stop('PERCENTAGE', '3', null));
    expect(Number(waits?.value)).to.be.closeTo(25 * Math.exp(-0.06), 1e-9);
    expect(waits?.label).to.equal('SL ≈ −3 %, trailing 1 %');
    const ratio = stopLine(stop('PRICE_RATIO', '24', '27.5'));
    expect([ratio?.value, ratio?.label]).to.deep.equal([
      '26.5',
      'SL Price ratio 24, trailing 1, fires at 26.5',
    ]);
  });

  it('draws alerts of this ratio and of the price that is shown, and of no other weights', () => {
    const pair = [
      { symbol: 'ETH-PERP', side: 'SELL', weight: '0.5' },
      { symbol: 'BTC-PERP', side: 'BUY', weight: '0.5' },
    ] as const;
    const of = (id: string, condition: object, legs: AlertRow['legs'] = [...pair]) =>
      alertRow({ id, legs, condition: { direction: 'MORE_THAN', ...condition } as AlertRow['condition'] });
    const [short, long] = pair;
    const alerts = [
      of('ratio', { type: 'PRICE_RATIO', value: '26' }),
      of('z-score', { type: 'PRICE_RATIO', value: '2', transform: 'Z_SCORE', lookback: 720 }),
      of('turned', { type: 'PRICE_RATIO', value: '27' }, [
        { ...short, side: 'BUY' },
        { ...long, side: 'SELL' },
      ]),
      of('weighted', { type: 'WEIGHTED_RATIO', value: '5.1' }),
      of('otherwise', { type: 'WEIGHTED_RATIO', value: '5.2' }, [
        { ...short, weight: '0.4' },
        { ...long, weight: '0.6' },
      ]),
      of('price', { type: 'PRICE', value: '4100', symbol: 'ETH-PERP' }, [{ ...short, weight: '1' }]),
    ];
    const drawn = (subject: Parameters<typeof chartLines>[0]['subject']) =>
      chartLines({ ...TRADE, alerts, held: null, subject }).map(({ id, kind, value }) => [id, kind, value]);
    expect(drawn(RATIO)).to.deep.equal([['ratio', 'alert', '26']]);
    expect(drawn(WEIGHTED)).to.deep.equal([['weighted', 'alert', '5.1']]);
    expect(drawn({ metric: 'PRICE', symbol: 'ETH-PERP' })).to.deep.equal([['price', 'alert', '4100']]);
    expect(drawn({ metric: 'PRICE', symbol: 'BTC-PERP' })).to.deep.equal([]);
  });

  it('knows of each line that can be cancelled which of the basket’s it is, and at what level', () => {
    const bracket = (type: BracketRow['type'], value: string, more: Partial<BracketRow> = {}) =>
      bracketRow({ type, value, ...more });
    const held = (over: Partial<PositionRow>) => ({ ...TRADE, held: { ...HELD, ...over } });
    const below = (value: string) => ({ type: 'PRICE_RATIO', direction: 'LESS_THAN', value }) as const;
    const rung = (rungIndex: number, value: string) =>
      triggerRow({ id: `rung ${rungIndex}`, ladderId: 'ladder', rungIndex, condition: below(value) });
    const resting = [rung(0, '24'), rung(1, '23.5'), triggerRow({ condition: below('31.2') })];
    const asked = (sources: Parameters<typeof chartLines>[0]) =>
      chartLines(sources).flatMap(({ cancel }) =>
        cancel === undefined ? [] : [`${cancel.called} at ${cancel.at}`],
      );
    expect(asked({ ...TRADE, held: null, resting })).to.deep.equal([
      'rung 1 at 24.0000',
      'trigger at 31.2000',
      'rung 2 at 23.5000',
    ]);
    const trailing = { delta: '1', activation: null };
    expect([
      ...asked(held({ takeProfit: bracket('DOLLAR', '50'), stopLoss: bracket('PERCENTAGE', '3') })),
      ...asked(held({ stopLoss: bracket('PERCENTAGE', '3', { trailing, peak: '6' }) })),
      ...asked(held({ takeProfit: bracket('PRICE_RATIO', '31.2') })),
      ...asked(held({ stopLoss: bracket('POSITION_VALUE', '1900') })),
      ...asked(held({ stopLoss: bracket('PERCENTAGE', '3', { status: 'TRIGGERED' }) })),
    ]).to.deep.equal([
      'take-profit at +50 USD',
      'stop-loss at −3 %',
      'stop-loss at +5.00 %',
      'take-profit at 31.2',
      'stop-loss at 1900 USD',
    ]);
  });

  it('draws no PnL level where the ratio does not follow the PnL', () => {
    const uneven = [
      { id: 'BTC-PERP', side: 'BUY', weight: 700_000 },
      { id: 'ETH-PERP', side: 'SELL', weight: 300_000 },
    ] as const;
    expect(pnlShare(RATIO, uneven)).to.equal(null);
    expect(pnlShare(WEIGHTED, uneven)).to.equal(1);
    const single = [{ id: 'ETH-PERP', side: 'SELL', weight: 1 }] as const;
    expect(pnlShare({ metric: 'PRICE', symbol: 'ETH-PERP' }, single)).to.equal(-1);
    expect(pnlShare({ metric: 'PRICE', symbol: 'ETH-PERP' }, LEGS)).to.equal(null);
  });

  it('draws the entry of a position on what it shows, and none of a basket of which a leg is not held', () => {
    const whole = {
      legs: [
        { symbol: 'BTC-PERP', quantity: '0.01', entryPrice: '100000' },
        { symbol: 'ETH-PERP', quantity: '0.25', entryPrice: '4000' },
      ],
      entryPrice: '25',
      entryRatio: '5',
    } as const;
    const price = { metric: 'PRICE', symbol: 'ETH-PERP' } as const;
    expect(positionEntry(whole, RATIO)).to.equal('25');
    expect(positionEntry(whole, WEIGHTED)).to.equal('5');
    expect(positionEntry(whole, price)).to.equal('4000');
    expect(positionFacts(whole, RATIO, LEGS)).to.deep.equal({
      subject: RATIO,
      legs: LEGS,
      entry: 25,
      gross: 2_000,
    });
    const half = {
      legs: [whole.legs[0], { symbol: 'ETH-PERP', quantity: '0', entryPrice: '0' }],
      entryPrice: '100000',
      entryRatio: '316.2',
    } as const;
    expect(positionEntry(half, RATIO)).to.equal(null);
    expect(positionEntry(half, WEIGHTED)).to.equal(null);
    expect(positionEntry(half, price)).to.equal(null);
    expect(positionEntry(half, { metric: 'PRICE', symbol: 'BTC-PERP' })).to.equal('100000');
    expect(positionFacts(half, RATIO, LEGS)).to.deep.include({ entry: null, gross: 1_000 });
  });

  it('draws brackets on a weighted ratio at the position’s own weights alone, and says no dollars of another', () => {
    const held = {
      ...HELD,
      takeProfit: bracketRow({ type: 'WEIGHTED_RATIO', value: '2', transform: 'Z_SCORE', lookback: 240 }),
      stopLoss: bracketRow({ type: 'WEIGHTED_RATIO', value: '4.9' }),
    };
    const of = (weight: number) => ({
      ...{ ...TRADE, held },
      basket: {
        isWeighted: true,
        legs: [
          { ...LEGS[0], weight },
          { ...LEGS[1], weight: 1_000_000 - weight },
        ],
      },
    });
    const drawn = (weight: number, subject: Parameters<typeof chartLines>[0]['subject'] = WEIGHTED) =>
      chartLines({ ...of(weight), subject }).map(({ id }) => id);
    const among = { ...WEIGHTED, among: { transform: 'Z_SCORE', lookback: 240 } } as const;
    const scale = transformScale(among.among, { mean: Math.log(5), deviation: 0.01 });
    const onPast = (weight: number) =>
      chartLines({ ...of(weight), subject: among, scale }).map(({ id, value }) => [id, Number(value)]);
    expect(drawn(500_000)).to.deep.equal(['entry', 'held-sl']);
    expect(drawn(500_001), 'what is rounded is the same').to.deep.equal(['entry', 'held-sl']);
    expect(onPast(500_000)).to.deep.equal([
      ['entry', 0],
      ['held-tp', 2],
    ]);
    // A thousandth of the weight moves the ratio by (ln 100,000 + ln 4,000) ÷ 1,000: two percent, and here two deviations.
    expect(drawn(501_000)).to.deep.equal(['entry']);
    expect(onPast(501_000)).to.deep.equal([['entry', 1.98]]);
    expect(drawn(501_000, RATIO), 'the price ratio of a pair has no weights').to.deep.equal(['entry']);

    const plan = {
      legs: LEGS.map(({ id }) => ({ symbol: id, price: String(PRICES[id]) })),
    } as unknown as Plan;
    const ticket = { ...NEW_TICKET, notional: '1000' };
    const typed = (weight: number) => ticketFacts({ ...of(weight), plan, ticket }, 'WEIGHTED_RATIO');
    expect(typed(500_000).entry).to.be.closeTo(5, 1e-9);
    expect(typed(501_000)).to.deep.include({ entry: null, gross: 3_000 });

    const offered = (weight: number) => comparedBy(of(weight)).map(({ lookback }) => lookback);
    expect(offered(500_000)).to.deep.equal([240]);
    expect(offered(501_000)).to.deep.equal([]);
  });

  describe('at other weights than the position was entered at', () => {
    /** Gross 10,000 USD: weights of 33.31, 33.35 and 33.34 %. */
    const held = positionRow({
      legs: [
        positionLegRow({ quantity: '0.03331', entryPrice: '100000' }),
        positionLegRow({ symbol: 'ETH-PERP', side: 'SELL', quantity: '0.83375', entryPrice: '4000' }),
        positionLegRow({ symbol: 'SOL-PERP', side: 'SELL', quantity: '16.67', entryPrice: '200' }),
      ],
      entryPrice: '111.8',
      entryRatio: '0.4985',
      takeProfit: bracketRow({ type: 'PERCENTAGE', value: '3' }),
      stopLoss: bracketRow({ type: 'WEIGHTED_RATIO', value: '0.49' }),
    });
    const basketOf = (btc: number, eth = 333_300) => ({
      isWeighted: true,
      legs: [
        { id: 'BTC-PERP', side: 'BUY' as const, weight: btc },
        { id: 'ETH-PERP', side: 'SELL' as const, weight: eth },
        { id: 'SOL-PERP', side: 'SELL' as const, weight: 1_000_000 - btc - eth },
      ],
    });
    const basket = basketOf(333_300);
    const entry = Math.exp(0.3333 * Math.log(100_000) - 0.3333 * Math.log(4_000) - 0.3334 * Math.log(200));
    const linesOf = (over: Partial<LineSources> = {}) =>
      chartLines({ ...TRADE, held, basket, subject: WEIGHTED, ...over });

    it('draws the entry of this ratio, and what is a gain from it', () => {
      expect(Math.abs(entry / Number(held.entryRatio) - 1), 'not the position’s own').to.be.above(1e-3);
      const [first, target, ...others] = linesOf();
      expect(others).to.deep.equal([]);
      expect([first?.id, first?.move]).to.deep.equal(['entry', { of: 'entry' }]);
      expect(Number(first?.value)).to.be.closeTo(entry, 1e-9);
      expect(Number(target?.value)).to.be.closeTo(entry * Math.exp(0.03), 1e-9);
      expect([target?.label, target?.cancel?.at]).to.deep.equal(['TP ≈ +3 %', '+3 %']);
      expect(leftOut(held, WEIGHTED, basket)).to.deep.equal(['stop-loss']);
      expect(leftOut({ ...held, stopLoss: null }, WEIGHTED, basket)).to.deep.equal([]);
    });

    it('sets and moves gains there, and no level of a ratio that is compared at others', () => {
      const facts = heldFacts(held, WEIGHTED, basket);
      if (facts === null) throw new Error('It has an entry');
      const [line] = linesOf();
      const below = entry * Math.exp(-0.02);
      expect(line && sideOfLine(line, below, facts)).to.equal('stopLoss');
      expect(bracketProposal('stopLoss', { ...held, stopLoss: null }, below, facts)).to.deep.include({
        type: 'PERCENTAGE',
        value: '2',
        usd: '-200.00',
      });
      expect(bracketProposal('takeProfit', held, entry * Math.exp(0.04), facts)).to.deep.include({
        type: 'PERCENTAGE',
        value: '4',
        usd: '400.00',
      });
      expect(bracketProposal('stopLoss', held, below, facts), 'the one that is there').to.equal(null);
    });

    it('moves nothing from the entry among its past, where a gain has no level', () => {
      const among = { transform: 'Z_SCORE', lookback: 240 } as const;
      const subject = { ...WEIGHTED, among };
      const scale = transformScale(among, { mean: Math.log(entry), deviation: 0.01 });
      const stopLoss = bracketRow({ type: 'WEIGHTED_RATIO', value: '-2', ...among });
      const own = { ...held, stopLoss };
      const drawn = linesOf({ held: own, subject, scale });
      expect(drawn.map(({ id, value, move }) => [id, Number(value), move])).to.deep.equal([
        ['entry', 0, undefined],
      ]);
      expect(leftOut(own, subject, basket)).to.deep.equal(['stop-loss']);
      expect(leftOut(held, subject, basket), 'its levels are not of the past').to.deep.equal([]);
      expect(comparedBy({ ...TRADE, held: own, basket })).to.deep.equal([]);
    });

    it('draws the entry alone where weights are more than half a percentage point apart', () => {
      expect(linesOf({ basket: basketOf(338_100) }).map(({ id }) => id)).to.deep.equal(['entry', 'held-tp']);
      const far = basketOf(338_101);
      expect(linesOf({ basket: far }).map(({ id, move }) => [id, move])).to.deep.equal([
        ['entry', undefined],
      ]);
      expect(leftOut(held, WEIGHTED, far)).to.deep.equal(['take-profit', 'stop-loss']);
    });

    it('draws nothing where a leg is not held', () => {
      const [btc, eth, sol] = held.legs;
      if (btc === undefined || eth === undefined || sol === undefined) throw new Error('It has three legs');
      const part = { ...held, legs: [btc, eth, { ...sol, quantity: '0' }] };
      expect(linesOf({ held: part })).to.deep.equal([]);
      expect(leftOut(part, WEIGHTED, basket)).to.deep.equal(['entry', 'take-profit', 'stop-loss']);
    });
  });

  it('draws a condition on the chart of what it watches', () => {
    const condition = { type: 'PRICE', value: '90000', symbol: 'BTC-PERP' } as const;
    expect(conditionLine(condition, { metric: 'PRICE', symbol: 'BTC-PERP' })).to.equal('90000');
    expect(conditionLine(condition, RATIO)).to.equal(null);
    expect(conditionLine({ type: 'PRICE_RATIO', value: '24' }, RATIO)).to.equal('24');
    expect(conditionLine({ type: 'PRICE_RATIO', value: '' }, RATIO)).to.equal(null);
    expect(conditionLine({ type: 'BTC_DOM', value: '55' }, RATIO)).to.equal(null);
  });

  it('writes figures of any size with six digits', () => {
    expect([31.251449, 117_620.4, 0.000012345678, 3_729.6, 0, null].map(figureText)).to.deep.equal([
      '31.2514',
      '117,620',
      '0.0000123457',
      '3,729.60',
      '0',
      '—',
    ]);
  });
});

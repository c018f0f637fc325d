/** Ticket input becomes the order that the contract takes, or messages beside the fields. */
import { expect } from 'chai';
import { addLeg, EMPTY_BASKET, normalised, setWeight } from '../../../renderer/features/basket/basket.ts';
import {
  errorsOf,
  inPercent,
  unplaced,
  within,
} from '../../../renderer/features/field-errors/field-errors.ts';
import { fractionOf } from '../../../renderer/features/percent/percent.ts';
import { delayText, NEW_SLICING, plannedSlices } from '../../../renderer/features/slicing-fields/slicing.ts';
import { conditionTypes, NEW_WATCH } from '../../../renderer/features/watch-fields/watch.ts';
import { plannedRungs } from '../../../renderer/screens/trade/rungs.ts';
import { dryRunBody, NEW_TICKET, orderOf, type TicketDraft } from '../../../renderer/screens/trade/ticket.ts';

const PAIR = addLeg(addLeg(EMPTY_BASKET, 'BTC-PERP', 'BUY'), 'ETH-PERP', 'SELL');
const LEGS = [
  { symbol: 'BTC-PERP', side: 'BUY', mode: 'WEIGHT', amount: '0.5' },
  { symbol: 'ETH-PERP', side: 'SELL', mode: 'WEIGHT', amount: '0.5' },
];

function sent(over: Partial<TicketDraft>, basket = PAIR) {
  const result = orderOf(basket, { ...NEW_TICKET, ...over });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.order;
}

function faults(over: Partial<TicketDraft>, basket = PAIR): Readonly<Record<string, string>> {
  const result = orderOf(basket, { ...NEW_TICKET, ...over });
  if (result.ok) throw new Error('It was accepted');
  // The first of several messages of a field is shown.
  return Object.fromEntries([...result.issues].reverse().map(({ path, message }) => [path, message]));
}

describe('ticket', () => {
  it('market: instrument ids, exact weights, slippage as a fraction', () => {
    const { route, body } = sent({ slippage: '0.75' });
    expect(route).to.equal('POST /trade/open');
    expect(body).to.deep.include({ type: 'MARKET', legs: LEGS, totalUsd: '1000', slippage: '0.0075' });
  });

  it('market: brackets and auto-rebalance only where they are switched on', () => {
    expect(sent({}).body).not.to.have.any.keys('takeProfit', 'stopLoss', 'autoRebalance');
    const on = {
      isOn: true,
      type: 'PERCENTAGE',
      value: '5',
      isTrailing: true,
      delta: '2',
      activation: '',
      slippage: '',
    } as const;
    const { body } = sent({
      takeProfit: on,
      rebalance: { ...NEW_TICKET.rebalance, isOn: true, minimumDrift: '2.5', cooldown: '30' },
    });
    expect(body).to.deep.include({
      takeProfit: { type: 'PERCENTAGE', value: '5', trailing: { delta: '2' } },
      autoRebalance: {
        mode: 'TARGET_WEIGHTS',
        action: 'TRADE',
        minimumDrift: '0.025',
        onLegFailure: 'RETRY',
        cooldownSeconds: 1_800,
      },
    });
  });

  it('sends what happens when a leg fails with what trades unwatched, and no UNWIND with what only reduces', () => {
    const slicing = { kind: 'TWAP', unattendedFailure: 'UNWIND' } as const;
    for (const [over, expected] of [
      [{ kind: 'TRIGGER', watch: { ...NEW_WATCH, value: '50' } }, 'RETRY'],
      [slicing, 'UNWIND'],
      [{ ...slicing, reduceOnly: true }, 'RETRY'],
    ] as const) {
      const { body } = sent(over);
      expect(body).to.include({ onLegFailure: expected });
    }
  });

  it('trigger: each of the six conditions', () => {
    const watch = { ...NEW_WATCH, value: '50', crossSymbol: 'SOL-PERP' };
    const market = { source: 'paper-predictions', marketKey: 'fed' };
    const conditions = conditionTypes(PAIR.legs, ['btc_dominance', 'prediction_markets']).map(
      ({ type, unavailable }) => {
        expect(unavailable).to.equal(null);
        const { body } = sent({ kind: 'TRIGGER', watch: { ...watch, type, market } });
        return 'condition' in body ? body.condition : null;
      },
    );
    const direction = 'LESS_THAN';
    expect(conditions).to.deep.equal([
      { type: 'PRICE_RATIO', direction, value: '50' },
      { type: 'WEIGHTED_RATIO', direction, value: '50' },
      { type: 'PRICE', direction, value: '50', symbol: 'BTC-PERP' },
      { type: 'CROSS_ASSET_PRICE', direction, value: '50', symbol: 'SOL-PERP' },
      { type: 'BTC_DOM', direction, value: '50' },
      { type: 'PREDICTION_MARKET_OUTCOME', direction, value: '50', ...market },
    ]);
  });

  it('trigger: what is impossible here is said before it is chosen', () => {
    const single = addLeg(EMPTY_BASKET, 'BTC-PERP', 'BUY');
    const reasons = conditionTypes(single.legs, []).map(({ type, unavailable }) => [
      type,
      unavailable !== null,
    ]);
    expect(Object.fromEntries(reasons)).to.deep.equal({
      PRICE_RATIO: true,
      WEIGHTED_RATIO: false,
      PRICE: false,
      CROSS_ASSET_PRICE: false,
      BTC_DOM: true,
      PREDICTION_MARKET_OUTCOME: true,
    });
    const watch = { ...NEW_WATCH, type: 'PRICE_RATIO', value: '20' } as const;
    expect(faults({ kind: 'TRIGGER', watch }, single)).to.have.key('condition.type');
  });

  it('twap: seconds, and the limit only where it is typed', () => {
    const slicing = { ...NEW_SLICING, duration: '1.5', durationUnit: 'hours', interval: '30' } as const;
    expect(sent({ kind: 'TWAP', slicing }).body).to.deep.include({
      durationSeconds: 5_400,
      intervalSeconds: 30,
    });
    expect(sent({ kind: 'TWAP', slicing }).body).not.to.have.property('limitRatio');
    const priced = { ...slicing, limitRatio: '25', limitMeasure: 'PRICE_RATIO' } as const;
    expect(sent({ kind: 'TWAP', slicing: priced }).body).to.have.property('limitRatio', '5');
    // Typed at other weights it would be another limit.
    const weighted = { ...priced, limitMeasure: 'WEIGHTED_RATIO' } as const;
    expect(faults({ kind: 'TWAP', slicing: weighted })).to.have.all.keys('limitRatio');
    const unlike = normalised(setWeight(PAIR, 'BTC-PERP', 300_000));
    expect(sent({ kind: 'TWAP', slicing: weighted }, unlike).body).to.have.property('limitRatio', '25');
  });

  it('twap that only reduces: no limit, which the gateway would compare the other way round', () => {
    const slicing = { ...NEW_SLICING, limitRatio: '25', limitMeasure: 'PRICE_RATIO' } as const;
    expect(faults({ kind: 'TWAP', slicing, reduceOnly: true })).to.deep.equal({
      limitRatio:
        'What only reduces takes no limit here. Empty it, or close by TWAP on Positions, which takes one',
    });
    expect(sent({ kind: 'TWAP', slicing }).body).to.include({ limitRatio: '5', reduceOnly: false });
    const { body } = sent({ kind: 'TWAP', slicing: NEW_SLICING, reduceOnly: true });
    expect(body).to.include({ reduceOnly: true }).and.not.to.have.property('limitRatio');
    // Other kinds of order send neither.
    expect(sent({ kind: 'MARKET', slicing, reduceOnly: true }).body).not.to.have.any.keys('limitRatio');
  });

  it('ladder: a price ladder names its leg, others none', () => {
    const ladder = { ...NEW_TICKET.ladder, start: '30', end: '20' };
    expect(sent({ kind: 'LADDER', ladder }).body).not.to.have.property('symbol');
    const priced = sent({ kind: 'LADDER', ladder: { ...ladder, metric: 'PRICE', symbol: 'ETH-PERP' } });
    expect(priced.body).to.have.property('symbol', 'ETH-PERP');
    const gone = sent({ kind: 'LADDER', ladder: { ...ladder, metric: 'PRICE', symbol: 'GONE-PERP' } });
    expect(gone.body).to.have.property('symbol', 'BTC-PERP');
  });

  it('puts each fault beside its field, in words that fit what was typed', () => {
    expect(faults({ notional: '' })).to.deep.equal({ totalUsd: 'Needed' });
    expect(faults({ notional: '0' })).to.deep.equal({ totalUsd: 'Must be greater than 0' });
    expect(inPercent(faults({ slippage: '11' })['slippage'])).to.equal('Must be at most 10 %');
    expect(faults({ slippage: 'x' })['slippage']).to.match(/a number such as/);
    expect(faults({ kind: 'LADDER' })).to.include({ start: 'Needed', end: 'Needed' });
    const ladder = { ...NEW_TICKET.ladder, start: '1', end: '2', levels: 'many' };
    expect(faults({ kind: 'LADDER', ladder })).to.deep.equal({ levels: 'Expected a whole number' });
    expect(faults({ kind: 'TWAP', slicing: { ...NEW_SLICING, interval: '3' } })).to.deep.equal({
      intervalSeconds: 'Must be at least 5',
    });
    const rebalance = { ...NEW_TICKET.rebalance, isOn: true, minimumDrift: '80' };
    expect(inPercent(faults({ rebalance })['autoRebalance.minimumDrift'])).to.equal('Must be at most 50 %');
    expect(faults({}, setWeight(PAIR, 'BTC-PERP', 1))).to.deep.equal({
      legs: 'The sum of weights must be exactly 1',
    });
  });

  it('finds messages by path, and keeps those that no field shows', () => {
    const issues = [
      { path: 'takeProfit.value', message: 'first' },
      { path: 'takeProfit.value', message: 'second' },
      { path: 'legs.0.symbol', message: 'unknown' },
    ];
    expect(within(errorsOf(issues), 'takeProfit')('value')).to.equal('first');
    expect(unplaced(issues, (path) => path.startsWith('takeProfit'))).to.deep.equal([issues[2]]);
    expect(inPercent(undefined)).to.equal(undefined);
    expect(inPercent('Must be at least 0.005')).to.equal('Must be at least 0.5 %');
  });

  it('asks for a dry run of any kind of order once the basket stands', () => {
    expect(dryRunBody(PAIR, { ...NEW_TICKET, kind: 'LADDER' })).to.deep.include({ dryRun: true, legs: LEGS });
    expect(dryRunBody(EMPTY_BASKET, NEW_TICKET)).to.equal(null);
  });

  it('turns percent into fractions on the digits', () => {
    expect(['1', '0.1', '33.3', '0.0000000001', 'abc', ''].map(fractionOf)).to.deep.equal([
      '0.01',
      '0.001',
      '0.333',
      '0.000000000001',
      'abc',
      '',
    ]);
  });
});

describe('previews', () => {
  it('slices as the gateway cuts them: whole cents, the last takes what is left', () => {
    const slicing = { ...NEW_SLICING, duration: '3', interval: '60' };
    const slices = plannedSlices(slicing, ['500', '500']);
    expect(slices?.map(({ usd }) => usd)).to.deep.equal(['333.32', '333.34', '333.34']);
    expect(slices?.map(({ atSeconds }) => atSeconds)).to.deep.equal([0, 60, 120]);
    expect(
      plannedSlices({ ...slicing, interval: '70' }, null)?.map(({ atSeconds }) => atSeconds),
    ).to.deep.equal([0, 90]);
    expect(plannedSlices({ ...slicing, duration: '' }, null)).to.equal(null);
    expect([0, 540, 90, 3_700].map(delayText)).to.deep.equal([
      '0 s',
      '9 min',
      '1 min 30 s',
      '1 h 1 min 40 s',
    ]);
  });

  it('rungs with the levels and sizes that the gateway makes', () => {
    const draft = { ...NEW_TICKET.ladder, start: '160', end: '120', levels: '5' };
    const rungs = plannedRungs({ ...draft, sizing: 'INCREASING' }, ['1000'], 140);
    expect(rungs?.map(({ level }) => level)).to.deep.equal(['160', '150', '140', '130', '120']);
    expect(rungs?.map(({ usd }) => usd)).to.deep.equal(['66.66', '133.34', '200', '266.66', '333.34']);
    expect(rungs?.map(({ isPassed }) => isPassed)).to.deep.equal([true, true, false, false, false]);
    const even = plannedRungs(
      { ...draft, start: '100', end: '400', levels: '3', distribution: 'GEOMETRIC' },
      null,
      null,
    );
    expect(even?.map(({ level }) => level)).to.deep.equal(['100', '200', '400']);
    expect(plannedRungs({ ...draft, end: '160' }, null, null)).to.equal(null);
  });
});

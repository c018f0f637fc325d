/** Request of each change of a position, and its trades at present prices. */
import { rebalanceSlippage } from '../domain/auto-rebalance.ts';
import { dec, sum, text, textRounded } from '../domain/decimal.ts';
import type { TradeLeg } from '../domain/model.ts';
import { heldLegs } from '../domain/shown-held.ts';
import { Refused } from './ask.ts';
import type { ChangeInput } from './change-input.ts';
import { expectedOfChange } from './expected.ts';
import type { AccountOut } from './fields.ts';
import type { Draft } from './keep-preview.ts';
import type { Position } from './outcomes-of.ts';
import { protectionRows } from './protection.ts';
import type { ToolContext } from './tool.ts';
import {
  bracketsOf,
  fractionOf,
  given,
  keepWeightsOf,
  protectionWords,
  slicingOf,
  transformWords,
  watchOf,
} from './trade-fields.ts';
import { worstPricesOf } from './worst-price.ts';

type Context = Pick<ToolContext, 'ask' | 'protectionIf'>;
type Change = Pick<Draft['ask'], 'margin' | 'protection' | 'laterSlippage'> &
  Omit<Draft, 'account' | 'figures' | 'problems' | 'notes' | 'summary' | 'legs' | 'ask'> & {
    readonly words: string;
    readonly kind: Draft['ask']['kind'];
    readonly effect: Draft['ask']['effect'];
    /** Base units by leg, on the side that is traded now. */
    readonly trades: readonly Traded[];
    readonly rests?: number;
    /** Protection of the position afterwards; left out: `expectedOfChange` gives it, or it stays. */
    readonly protectionAfter?: Position['protection'];
  };

interface Traded {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: string;
}

const BOUND = 'Quantities are those of now. If the position changes before place_order, nothing is ordered.';
const SIZED_LATER = 'Quantities are those of now; the gateway sizes them again when it trades.';

const other = (side: 'BUY' | 'SELL') => (side === 'BUY' ? 'SELL' : 'BUY');

function wrong(field: string, problem: string): Refused {
  return new Refused({
    ok: false,
    status: 400,
    code: 'VALIDATION_ERROR',
    message: 'The change is not complete',
    details: [{ path: field, message: problem, code: 'custom' }],
  });
}

export async function plannedChange(
  context: Context,
  account: AccountOut,
  position: Position,
  asked: ChangeInput,
): Promise<Draft> {
  const change = await changeOf(context, account, position, asked);
  const {
    words,
    kind,
    effect,
    protection: changes,
    trades,
    rests = 0,
    margin,
    laterSlippage,
    ...rest
  } = change;
  const { protectionAfter = position.protection, ...request } = rest;
  const { protection, problem } =
    kind === 'protect'
      ? context.protectionIf(account.id, position.id, request.body)
      : { protection: protectionAfter, problem: null };
  const slippage = fractionOf(asked.slippage_pct);
  const [worst, expected] = await Promise.all([
    worstPricesOf(context.ask, account, trades, slippage),
    expectedOfChange(context.ask, account.id, rests === 0 ? request : { ...request, route: '' }),
  ]);
  const legs = trades.map(({ symbol, side, quantity }) => {
    const mark = position.legs.find((leg) => leg.symbol === symbol)?.markPrice ?? null;
    const worstPrice = worst.get(symbol) ?? null;
    return {
      instrument: symbol,
      side,
      quantity_base: quantity,
      mark_usd: mark,
      worst_price_usd: rests === 0 ? worstPrice : null,
      expected_price_usd: expected.prices.get(symbol) ?? null,
      notional_usd: mark === null ? null : text(dec(mark).mul(quantity)),
      fee_usd: null,
    };
  });
  const gross = legs.flatMap(({ notional_usd: notional }) => (notional === null ? [] : [dec(notional)]));
  return {
    ...request,
    account,
    summary: `${words}, ${account.venue}: ${account.money}`,
    shown: { positionId: position.id, legs: heldLegs(position) },
    legs,
    problems: [
      ...(position.status === 'OPEN' ? [] : ['the position is closed']),
      ...(problem === null ? [] : [problem]),
    ],
    notes: legs.length === 0 ? [] : [rests === 0 ? BOUND : SIZED_LATER, ...expected.notes],
    figures: {
      gross_usd: gross.length === 0 ? null : text(sum(gross)),
      protection: protectionRows(protection),
      ...expected.figures,
    },
    ask: {
      accountId: account.id,
      kind,
      effect,
      legs: trades.map(({ symbol, side, quantity }): TradeLeg => {
        // One half of a reversal closes, and opens nothing.
        const amount = kind === 'reverse' ? text(dec(quantity).div(2)) : quantity;
        return { symbol, side, mode: 'BASE', amount };
      }),
      totalUsd: null,
      slippage,
      positionId: position.id,
      rests,
      ...given({ margin, protection: changes, laterSlippage }),
    },
  };
}

async function changeOf(
  context: Context,
  account: AccountOut,
  position: Position,
  asked: ChangeInput,
): Promise<Change> {
  const params = { id: position.id };
  const slippage = fractionOf(asked.slippage_pct);
  switch (asked.action) {
    case 'close':
      return closing(position, asked, slippage);
    case 'reduce':
    case 'increase':
      return adjusting(position, asked, slippage);
    case 'reverse': {
      const trades = position.legs.map((leg) => traded(leg, other(leg.side), '2'));
      const body = {
        slippage,
        onLegFailure: asked.on_leg_failure ?? 'UNWIND',
        brackets: asked.carry_protection ? ('CARRY' as const) : ('DROP' as const),
      };
      return {
        route: 'POST /positions/:id/reverse',
        params,
        body,
        kind: 'reverse',
        effect: 'OPENS',
        trades,
        words: `REVERSE ${heldWords(position)}: close it and open the opposite, now`,
      };
    }
    case 'protect':
      return protecting(position, asked);
    case 'rebalance': {
      const asking = given({ maxTradeUsd: asked.rebalance_max_usd });
      const plan = await context.ask('POST /positions/:id/rebalance/plan', {
        account: account.id,
        params,
        body: asking,
      });
      const trades = plan.legs
        .filter(({ skipped }) => !skipped)
        .map(({ symbol, side, deltaQuantity }): Traded => {
          const isLess = deltaQuantity.startsWith('-');
          return { symbol, side: isLess ? other(side) : side, quantity: deltaQuantity.replace('-', '') };
        });
      return {
        route: 'POST /positions/:id/rebalance',
        params,
        body: { ...asking, slippage, ...closingFailure(asked) },
        kind: 'rebalance',
        effect: 'OPENS',
        trades,
        protectionAfter: plan.protection,
        words: `REBALANCE ${heldWords(position)} to its weights, now`,
      };
    }
    case 'keep_weights': {
      const body = keepWeightsOf(asked);
      if (body === undefined)
        throw wrong('keep_weights_min_drift_pct', 'From which drift on? For example "5"');
      return {
        route: 'PUT /positions/:id/auto-rebalance',
        params,
        body,
        kind: 'rebalance',
        effect: 'CHANGES',
        laterSlippage: rebalanceSlippage(body),
        trades: [],
        words: `KEEP THE WEIGHTS of ${heldWords(position)} from ${asked.keep_weights_min_drift_pct} % drift on`,
      };
    }
    case 'margin': {
      const { margin_instrument: symbol, margin_usd: amount } = asked;
      return {
        route: 'POST /positions/:id/margin',
        params,
        body: given({ symbol, amount }),
        kind: 'margin',
        effect: asked.margin_usd?.startsWith('-') === true ? 'CHANGES' : 'TIGHTENS',
        trades: [],
        ...given({ margin: symbol === undefined || amount === undefined ? undefined : { symbol, amount } }),
        words: `MARGIN of ${symbol ?? '?'} changed by ${amount ?? '?'} USD`,
      };
    }
  }
}

function closingFailure({ on_leg_failure: policy }: ChangeInput) {
  if (policy === 'UNWIND') throw wrong('on_leg_failure', 'A close or rebalance takes KEEP or RETRY');
  return given({ onLegFailure: policy });
}

function closing(position: Position, asked: ChangeInput, slippage: string): Change {
  const fraction = fractionOf(asked.pct ?? '100');
  const common = { fraction, slippage, ...closingFailure(asked) };
  const bodies = {
    now: { type: 'MARKET', ...common },
    when: { type: 'TRIGGER', ...common, ...watchOf(asked) },
    over_time: { type: 'TWAP', ...common, ...slicingOf(asked) },
  };
  const ways = {
    now: 'now',
    when: `when ${transformWords(asked.when_transform, asked.when_lookback_hours)}${asked.when_metric ?? '?'} passes ${asked.when_value ?? '?'}`,
    over_time: `over ${asked.over_time_seconds ?? '?'} seconds`,
  };
  return {
    route: 'POST /positions/:id/close',
    params: { id: position.id },
    body: bodies[asked.style],
    kind: asked.style,
    effect: 'REDUCES',
    trades: position.legs.map((leg) => traded(leg, other(leg.side), fraction)),
    rests: asked.style === 'now' ? 0 : 1,
    words: `CLOSE ${asked.pct ?? '100'} % of ${heldWords(position)}, ${ways[asked.style]}`,
  };
}

function adjusting(position: Position, asked: ChangeInput, slippage: string): Change {
  const { action, pct, usd } = asked;
  if ((pct === undefined) === (usd === undefined))
    throw wrong('usd', 'Say how much in exactly one way: pct or usd');
  const isMore = action === 'increase';
  const size = usd === undefined ? { fraction: fractionOf(pct ?? '0') } : { usd };
  const trades = position.legs.map((leg) => {
    const side = isMore ? leg.side : other(leg.side);
    if (usd === undefined) return traded(leg, side, fractionOf(pct ?? '0'));
    const weight = isMore ? leg.targetWeight : leg.currentWeight;
    const quantity = leg.markPrice === null ? '0' : textRounded(dec(usd).mul(weight).div(leg.markPrice), 12);
    return { symbol: leg.symbol, side, quantity };
  });
  return {
    route: 'POST /positions/:id/adjust',
    params: { id: position.id },
    body: {
      intent: isMore ? 'INCREASE' : 'REDUCE',
      ...size,
      slippage,
      onLegFailure: asked.on_leg_failure ?? 'UNWIND',
    },
    kind: 'now',
    effect: isMore ? 'OPENS' : 'REDUCES',
    trades,
    words: `${isMore ? 'INCREASE' : 'REDUCE'} ${heldWords(position)} by ${usd === undefined ? `${pct} %` : `${usd} USD`}, now`,
  };
}

function protecting(position: Position, asked: ChangeInput): Change {
  const { takeProfit, stopLoss } = bracketsOf(asked);
  const body = given({
    takeProfit: asked.remove_take_profit === true ? null : takeProfit,
    stopLoss: asked.remove_stop_loss === true ? null : stopLoss,
  });
  const removed = [
    ...(asked.remove_take_profit === true ? [', take-profit removed'] : []),
    ...(asked.remove_stop_loss === true ? [', STOP-LOSS REMOVED'] : []),
  ].join('');
  return {
    route: 'PUT /positions/:id/brackets',
    params: { id: position.id },
    body,
    kind: 'protect',
    effect: 'TIGHTENS',
    protection: { does: 'SET', body },
    trades: [],
    words: `PROTECT ${heldWords(position)}${protectionWords(asked)}${removed}`,
  };
}

function traded(leg: Position['legs'][number], side: 'BUY' | 'SELL', times: string): Traded {
  return { symbol: leg.symbol, side, quantity: text(dec(leg.quantity).mul(times)) };
}

function heldWords({ legs }: Position): string {
  return legs
    .map(({ symbol, side, quantity }) => `${side === 'BUY' ? 'LONG' : 'SHORT'} ${quantity} ${symbol}`)
    .join(', ');
}

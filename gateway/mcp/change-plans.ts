/** Request of each change of a position, and its trades at present prices. */
import { rebalanceSlippage } from '../domain/auto-rebalance.ts';
import { heldLegs } from '../domain/shown-held.ts';
import { Refused } from './ask.ts';
import type { ChangeInput } from './change-input.ts';
import type { AccountOut } from './fields.ts';
import type { Draft } from './keep-preview.ts';
import type { Position } from './outcomes-of.ts';
import {
  adjustTrades,
  closeTrades,
  NO_TRADES,
  type PlannedTrades,
  rebalanceTrades,
  reversalTrades,
} from './planned-trades.ts';
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

type Context = Pick<ToolContext, 'ask' | 'principal' | 'protectionIf' | 'pauseProblem'>;
type Change = Pick<Draft['ask'], 'margin' | 'protection' | 'laterSlippage'> &
  Omit<Draft, 'account' | 'figures' | 'problems' | 'notes' | 'summary' | 'legs' | 'ask'> & {
    readonly words: string;
    readonly kind: Draft['ask']['kind'];
    readonly effect: Draft['ask']['effect'];
    /** Asks for what it trades. Left out: nothing. */
    readonly plan?: () => Promise<PlannedTrades>;
    readonly rests?: number;
  };

interface Where {
  readonly account: string;
  readonly params: { readonly id: string };
}

const BOUND = 'Quantities are those of now. If the position changes before place_order, nothing is ordered.';
const SIZED_LATER = 'Quantities are those of now; the gateway sizes them again when it trades.';

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
  const change = changeOf(context, account, position, asked);
  const {
    words,
    kind,
    effect,
    protection: changes,
    plan = async () => NO_TRADES,
    rests = 0,
    margin,
    laterSlippage,
    ...request
  } = change;
  const isOpen = position.status === 'OPEN';
  const trades = isOpen ? await plan() : NO_TRADES;
  const { protection, problem } =
    kind === 'protect'
      ? context.protectionIf(account.id, position.id, request.body)
      : { protection: position.protection, problem: null };
  const pause = context.pauseProblem(context.principal, position.id, request);
  const { legs, judged, notes, figures } = trades;
  return {
    ...request,
    account,
    summary: `${words}, ${account.venue}: ${account.money}`,
    shown: { positionId: position.id, legs: heldLegs(position) },
    legs,
    problems: [
      ...(isOpen ? [] : ['the position is closed']),
      ...[problem, pause].filter((one) => one !== null),
      ...trades.problems,
    ],
    notes: legs.length === 0 ? notes : [rests === 0 ? BOUND : SIZED_LATER, ...notes],
    figures: { protection: protectionRows(protection), ...figures },
    ask: {
      accountId: account.id,
      kind,
      effect,
      legs: judged,
      totalUsd: null,
      slippage: fractionOf(asked.slippage_pct),
      positionId: position.id,
      rests,
      ...given({ margin, protection: changes, laterSlippage }),
    },
  };
}

function changeOf({ ask }: Context, account: AccountOut, position: Position, asked: ChangeInput): Change {
  const params = { id: position.id };
  const where = { account: account.id, params };
  const slippage = fractionOf(asked.slippage_pct);
  switch (asked.action) {
    case 'close':
      return closing(ask, where, position, asked);
    case 'reduce':
    case 'increase':
      return adjusting(ask, where, position, asked);
    case 'reverse': {
      const brackets = asked.carry_protection ? 'CARRY' : 'DROP';
      return {
        route: 'POST /positions/:id/reverse',
        params,
        body: { slippage, onLegFailure: asked.on_leg_failure ?? 'UNWIND', brackets },
        kind: 'reverse',
        effect: 'OPENS',
        plan: () => reversalTrades(ask, where, { slippage, brackets }),
        words: `REVERSE ${heldWords(position)}: close it and open the opposite, now`,
      };
    }
    case 'protect':
      return protecting(position, asked);
    case 'rebalance': {
      const asking = given({ maxTradeUsd: asked.rebalance_max_usd });
      return {
        route: 'POST /positions/:id/rebalance',
        params,
        body: { ...asking, slippage, ...closingFailure(asked) },
        kind: 'rebalance',
        effect: 'OPENS',
        plan: () => rebalanceTrades(ask, { ...where, venue: account.venue, slippage }, asking),
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
        ...given({ margin: symbol === undefined || amount === undefined ? undefined : { symbol, amount } }),
        words: `MARGIN of ${symbol ?? '?'} changed by ${amount ?? '?'} USD`,
      };
    }
  }
}

function closingPolicy({ on_leg_failure: policy }: ChangeInput) {
  if (policy === 'UNWIND')
    throw wrong('on_leg_failure', 'A close, reduction or rebalance takes KEEP or RETRY');
  return policy;
}

function closingFailure(asked: ChangeInput) {
  return given({ onLegFailure: closingPolicy(asked) });
}

function closing(ask: Context['ask'], where: Where, position: Position, asked: ChangeInput): Change {
  const slippage = fractionOf(asked.slippage_pct);
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
    params: where.params,
    body: bodies[asked.style],
    kind: asked.style,
    effect: 'REDUCES',
    plan: () => closeTrades(ask, where, { fraction, slippage }, asked.style !== 'now'),
    rests: asked.style === 'now' ? 0 : 1,
    words: `CLOSE ${asked.pct ?? '100'} % of ${heldWords(position)}, ${ways[asked.style]}`,
  };
}

function adjusting(ask: Context['ask'], where: Where, position: Position, asked: ChangeInput): Change {
  const { action, pct, usd } = asked;
  if ((pct === undefined) === (usd === undefined))
    throw wrong('usd', 'Say how much in exactly one way: pct or usd');
  const isMore = action === 'increase';
  const body = {
    intent: isMore ? ('INCREASE' as const) : ('REDUCE' as const),
    ...(usd === undefined ? { fraction: fractionOf(pct ?? '0') } : { usd }),
    slippage: fractionOf(asked.slippage_pct),
  };
  return {
    route: 'POST /positions/:id/adjust',
    params: where.params,
    body: {
      ...body,
      onLegFailure: isMore ? (asked.on_leg_failure ?? 'UNWIND') : (closingPolicy(asked) ?? 'RETRY'),
    },
    kind: 'now',
    effect: isMore ? 'OPENS' : 'REDUCES',
    plan: () => adjustTrades(ask, where, body),
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
    words: `PROTECT ${heldWords(position)}${protectionWords(asked)}${removed}`,
  };
}

function heldWords({ legs }: Position): string {
  return legs
    .map(({ symbol, side, quantity }) => `${side === 'BUY' ? 'LONG' : 'SHORT'} ${quantity} ${symbol}`)
    .join(', ');
}

/** The ticket as typed, and the order made from it: validated with the contract's own schemas before sending. */
import type { z } from 'zod';
import { createLadderBody } from '../../../gateway/contract/ladders.ts';
import { createScheduleBody } from '../../../gateway/contract/schedules.ts';
import { openTradeBody } from '../../../gateway/contract/trading.ts';
import { openTriggerBody } from '../../../gateway/contract/triggers.ts';
import { type Basket, tradeLegs } from '../../features/basket/basket.ts';
import {
  type BracketDrafts,
  bracketInputOf,
  NO_BRACKET,
} from '../../features/brackets-form/bracket-draft.ts';
import { type FieldIssue, schemaIssues } from '../../features/field-errors/field-errors.ts';
import { plainIssues } from '../../features/field-errors/plain-issues.ts';
import { fractionOf } from '../../features/percent/percent.ts';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import {
  autoRebalanceBody,
  NEW_REBALANCE,
  type RebalanceDraft,
} from '../../features/rebalance-form/rebalance-draft.ts';
import { LIMIT_NAMES, limitMeasure, sentLimit } from '../../features/slicing-fields/limit-measure.ts';
import { NEW_SLICING, type SlicingDraft, slicingInput } from '../../features/slicing-fields/slicing.ts';
import { NEW_WATCH, type WatchDraft, watchInput } from '../../features/watch-fields/watch.ts';

export const ORDER_KINDS = [
  { value: 'MARKET', label: 'Market' },
  { value: 'TRIGGER', label: 'Trigger' },
  { value: 'TWAP', label: 'TWAP' },
  { value: 'LADDER', label: 'Ladder' },
] as const;

export interface LadderDraft {
  readonly metric: 'WEIGHTED_RATIO' | 'PRICE_RATIO' | 'PRICE';
  /** The leg whose price is watched with metric PRICE; null: the first. */
  readonly symbol: string | null;
  readonly direction: 'MORE_THAN' | 'LESS_THAN';
  readonly start: string;
  readonly end: string;
  readonly levels: string;
  readonly distribution: 'LINEAR' | 'GEOMETRIC';
  readonly sizing: 'EQUAL' | 'INCREASING' | 'DECREASING';
  readonly allowImmediate: boolean;
  /** ISO 8601; empty: the ladder does not expire. */
  readonly expiresAt: string;
}

/** Draft for every kind of order at once, so that a change of the kind loses nothing. */
export interface TicketDraft extends BracketDrafts {
  readonly kind: (typeof ORDER_KINDS)[number]['value'];
  /** Gross notional, USD. */
  readonly notional: string;
  /** Largest loss at the stop, USD, which determines the notional; null: the notional is typed. */
  readonly risk: string | null;
  /** Slippage, percent around the mark price. */
  readonly slippage: string;
  readonly onLegFailure: 'KEEP' | 'UNWIND' | 'RETRY';
  /** Same choice for pending and sliced orders, which trade while nobody watches. */
  readonly unattendedFailure: 'KEEP' | 'UNWIND' | 'RETRY';
  readonly watch: WatchDraft;
  readonly slicing: SlicingDraft;
  readonly reduceOnly: boolean;
  readonly ladder: LadderDraft;
  /** Choice between the order's brackets and those of a position that is open by then. */
  readonly brackets: 'KEEP' | 'REPLACE';
  /** Behaviour of a TWAP after its brackets have closed the position that it opened. */
  readonly afterBracket: 'STOP' | 'GO_ON';
  /** Id of the position in the opposite basket beside which the order may open; null: none. */
  readonly beside: string | null;
  readonly rebalance: RebalanceDraft & { readonly isOn: boolean };
}

export const NEW_TICKET: TicketDraft = {
  kind: 'MARKET',
  notional: '1000',
  risk: null,
  slippage: '1',
  onLegFailure: 'KEEP',
  unattendedFailure: 'RETRY',
  watch: NEW_WATCH,
  slicing: NEW_SLICING,
  reduceOnly: false,
  ladder: {
    metric: 'PRICE_RATIO',
    symbol: null,
    direction: 'LESS_THAN',
    start: '',
    end: '',
    levels: '5',
    distribution: 'LINEAR',
    sizing: 'EQUAL',
    allowImmediate: false,
    expiresAt: '',
  },
  takeProfit: NO_BRACKET,
  stopLoss: NO_BRACKET,
  brackets: 'KEEP',
  afterBracket: 'STOP',
  beside: null,
  rebalance: { ...NEW_REBALANCE, isOn: false },
};

/** Kinds of order that can carry a take-profit and stop-loss. */
export const hasBrackets = ({ kind }: Pick<TicketDraft, 'kind'>) => kind !== 'LADDER';

export type Order =
  | { readonly route: 'POST /trade/open'; readonly body: z.output<typeof openTradeBody> }
  | { readonly route: 'POST /triggers/open'; readonly body: z.output<typeof openTriggerBody> }
  | { readonly route: 'POST /schedules'; readonly body: z.output<typeof createScheduleBody> }
  | { readonly route: 'POST /ladders'; readonly body: z.output<typeof createLadderBody> };

export type Checked =
  | { readonly ok: true; readonly order: Order }
  | { readonly ok: false; readonly issues: readonly FieldIssue[] };

/**
 * Order to send, or its issues by field.
 * @param now epoch ms
 */
export function orderOf(basket: Basket, ticket: TicketDraft, now = Date.now()): Checked {
  const limit = unfitLimit(ticket) ?? staleLimit(ticket, basket);
  if (limit !== null) return { ok: false, issues: [{ path: 'limitRatio', message: limit }] };
  const order = inForm(basket, ticket);
  const expiresAt = order.ok && 'expiresAt' in order.order.body ? order.order.body.expiresAt : null;
  if (expiresAt == null || new Date(expiresAt).getTime() > now) return order;
  return { ok: false, issues: [{ path: 'expiresAt', message: 'Is in the past' }] };
}

/**
 * Error for a limit on a reduce-only TWAP. The gateway reads it as a limit of the held basket, which has the opposite
 * sides, and would wait on the wrong side of it. In words; null: there is no limit.
 */
function unfitLimit({ kind, slicing, reduceOnly }: TicketDraft): string | null {
  if (kind !== 'TWAP' || !reduceOnly || slicing.limitRatio.trim() === '') return null;
  return 'What only reduces takes no limit here. Empty it, or close by TWAP on Positions, which takes one';
}

/** Error for a limit typed at other weights: it would be sent in another measure. In words; null: no such limit. */
function staleLimit({ kind, slicing }: TicketDraft, { legs }: Basket): string | null {
  const measure = limitMeasure(legs);
  if (kind !== 'TWAP' || slicing.limitRatio.trim() === '' || slicing.limitMeasure === measure) return null;
  return `Typed as a ${LIMIT_NAMES[slicing.limitMeasure]}: at these weights it is a ${LIMIT_NAMES[measure]}. Type it again`;
}

/** TWAP limit in the gateway's form; empty: none. */
export function weightedLimit({ slicing }: Pick<TicketDraft, 'slicing'>, { legs }: Basket): string {
  return sentLimit(slicing.limitRatio, limitMeasure(legs));
}

function inForm(basket: Basket, ticket: TicketDraft): Checked {
  const body = bodyOf(basket, ticket);
  switch (ticket.kind) {
    case 'MARKET':
      return checked(openTradeBody, body, (data) => ({ route: 'POST /trade/open', body: data }));
    case 'TRIGGER':
      return checked(openTriggerBody, body, (data) => ({ route: 'POST /triggers/open', body: data }));
    case 'TWAP':
      return checked(createScheduleBody, body, (data) => ({ route: 'POST /schedules', body: data }));
    case 'LADDER':
      return checked(createLadderBody, body, (data) => ({ route: 'POST /ladders', body: data }));
  }
}

function checked<S extends z.ZodType>(
  schema: S,
  body: unknown,
  order: (data: z.output<S>) => Order,
): Checked {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { ok: true, order: order(parsed.data) };
  return { ok: false, issues: plainIssues(schemaIssues(parsed.error.issues), body) };
}

/**
 * Dry run of the basket as a market order, regardless of conditions: sizes, margin, fees, obstacles and protection.
 * Incomplete brackets are left out.
 */
export function dryRunBody(basket: Basket, ticket: TicketDraft): z.output<typeof openTradeBody> | null {
  const body = {
    ...commonBody(basket, ticket),
    type: 'MARKET',
    onLegFailure: ticket.onLegFailure,
    dryRun: true,
  };
  const guarded = { ...body, ...(ticket.kind === 'LADDER' ? {} : brackets(ticket)) };
  const parsed = [guarded, body].map((one) => openTradeBody.safeParse(one)).find(({ success }) => success);
  return parsed?.data ?? null;
}

function commonBody(basket: Basket, ticket: TicketDraft) {
  return {
    legs: tradeLegs(basket),
    totalUsd: ticket.notional.trim(),
    slippage: fractionOf(ticket.slippage),
  };
}

function bodyOf(basket: Basket, ticket: TicketDraft): object {
  const common = commonBody(basket, ticket);
  switch (ticket.kind) {
    case 'MARKET':
      return {
        ...common,
        type: 'MARKET',
        onLegFailure: ticket.onLegFailure,
        ...brackets(ticket),
        ...(ticket.rebalance.isOn ? { autoRebalance: autoRebalanceBody(ticket.rebalance) } : {}),
      };
    case 'TRIGGER':
      return {
        ...common,
        ...unattended(basket, ticket),
        ...watchInput(ticket.watch, basket.legs),
        ...brackets(ticket),
      };
    case 'TWAP':
      return {
        ...common,
        ...unattended(basket, ticket),
        ...slicingInput({ ...ticket.slicing, limitRatio: weightedLimit(ticket, basket) }),
        reduceOnly: ticket.reduceOnly,
        afterBracket: ticket.afterBracket,
        ...brackets(ticket),
      };
    case 'LADDER':
      return { ...common, ...unattended(basket, ticket), ...ladderInput(ticket.ladder, basket) };
  }
}

/** Leg failure choice of unattended orders. A single leg has the gateway's default; a reduction is not reopened. */
function unattended({ legs }: Basket, { kind, reduceOnly, unattendedFailure }: TicketDraft) {
  if (legs.length < 2) return {};
  const isClosing = kind === 'TWAP' && reduceOnly && unattendedFailure === 'UNWIND';
  return { onLegFailure: isClosing ? ('RETRY' as const) : unattendedFailure };
}

function brackets({ takeProfit, stopLoss, brackets: mode }: TicketDraft) {
  const [above, below] = [bracketInputOf(takeProfit), bracketInputOf(stopLoss)];
  return {
    ...(above === undefined ? {} : { takeProfit: above }),
    ...(below === undefined ? {} : { stopLoss: below }),
    ...(above === undefined && below === undefined ? {} : { brackets: mode }),
  };
}

function ladderInput(draft: LadderDraft, basket: Basket) {
  const { expiresAt } = draft;
  return {
    metric: draft.metric,
    direction: draft.direction,
    start: draft.start.trim(),
    end: draft.end.trim(),
    levels: wholeNumber(draft.levels),
    distribution: draft.distribution,
    sizing: draft.sizing,
    allowImmediate: draft.allowImmediate,
    ...(draft.metric === 'PRICE' ? { symbol: ladderSymbol(draft, basket) } : {}),
    ...(expiresAt === '' ? {} : { expiresAt }),
  };
}

export function ladderSymbol(draft: Pick<LadderDraft, 'symbol'>, basket: Basket): string {
  return (basket.legs.find((leg) => leg.id === draft.symbol) ?? basket.legs[0])?.id ?? '';
}

/** Chart subject on which the ladder's rungs are set. */
export function ladderSubject(draft: LadderDraft, basket: Basket): ChartSubject {
  const { metric } = draft;
  return metric === 'PRICE' ? { metric, symbol: ladderSymbol(draft, basket) } : { metric };
}

function wholeNumber(text: string): number {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN;
}

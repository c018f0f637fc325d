/**
 * Whether a mandate allows what its holder asks for. Pure: the same mandate, usage and ask give the same judgement, so
 * that a recorded decision can be made again.
 *
 * Every limit that would be broken is named, not only the first. What reduces a position asks for `accounts` and `manage`
 * alone: no limit keeps money in the market.
 */
import { type Decimal, type DecimalString, dec, sum, text } from './decimal.ts';
import type {
  ApprovalReason,
  BrokenLimit,
  HouseLimits,
  Judgement,
  Mandate,
  MandateKind,
  MandateLimit,
} from './mandate.ts';
import { isWithinHours } from './mandate-hours.ts';

/** What is used up, USD where it is money. */
export interface MoneyUsage {
  /** Opened within 24 hours: what running executions have reserved, and what ended ones have filled. */
  readonly openedUsd24h: DecimalString;
  /** What is held at the price it was opened at, what is reserved, and the worst case of what waits. */
  readonly grossUsd: DecimalString;
  readonly positions: number;
  readonly resting: number;
  /** Realised and unrealised loss within 24 hours; negative: a profit. */
  readonly lossUsd24h: DecimalString;
}

export interface MandateUsage {
  readonly own: MoneyUsage;
  /** Of all holders of the user together. */
  readonly house: MoneyUsage;
  /** Orders asked for within a minute and within 24 hours. */
  readonly lastMinute: number;
  readonly lastDay: number;
  /** After refusals nothing is taken for a while. */
  readonly isCoolingDown: boolean;
}

/** OPENS: could make a position larger. REDUCES: takes out of one. CHANGES: protection, margin, settings of a position. */
export type MandateEffect = 'OPENS' | 'REDUCES' | 'CHANGES';

export interface MandateAsk {
  readonly kind: MandateKind;
  /** Kinds of what it brings along: brackets and rebalancing of the position. */
  readonly brings: readonly MandateKind[];
  readonly effect: MandateEffect;
  readonly tradeAccountId: string;
  /** False: it touches what others placed or hold. */
  readonly isOwn: boolean;
  /** Legs that open, with their notional at the worst allowed price. */
  readonly legs: readonly { readonly symbol: string; readonly worstUsd: DecimalString }[];
  readonly slippage: DecimalString;
  /** Highest leverage in force of the instruments that it opens. */
  readonly leverage: number;
  readonly opensPosition: boolean;
  /** Orders that wait: they open later, and are judged again then. 0: it opens now. */
  readonly rests: number;
  /** False: nobody asked for it now (a trigger fires, a slice is due, an execution becomes ACTIVE). */
  readonly isRequest: boolean;
}

export interface MandateFacts {
  /** Epoch ms. */
  readonly now: number;
  readonly isSuspended: boolean;
  /** The account is one of real money. */
  readonly isLive: boolean;
  /** What the holder does for the first time. */
  readonly firsts: readonly ('ACCOUNT' | 'INSTRUMENT' | 'LIVE')[];
  /** A person has approved this very request. */
  readonly isApproved: boolean;
}

export function judge(
  mandate: Mandate,
  house: HouseLimits | null,
  usage: MandateUsage,
  ask: MandateAsk,
  facts: MandateFacts,
): Judgement {
  const worst = sum(ask.legs.map(({ worstUsd }) => dec(worstUsd)));
  const broken = [
    ...scopeProblems(mandate, ask),
    ...(ask.effect === 'OPENS' ? openingProblems(mandate, house, usage, ask, facts, worst) : []),
  ];
  if (broken.length > 0) return { verdict: 'refused', broken };
  const reserveUsd = text(worst);
  const reasons = facts.isApproved || !ask.isRequest ? [] : approvalReasons(mandate, ask, facts, worst);
  return reasons.length === 0
    ? { verdict: 'allowed', reserveUsd }
    : { verdict: 'needs_approval', reserveUsd, reasons };
}

/** What binds whatever is asked: where it trades, and whose things it touches. */
function scopeProblems(mandate: Mandate, ask: MandateAsk): readonly BrokenLimit[] {
  const problems: BrokenLimit[] = [];
  if (!mandate.accounts.includes(ask.tradeAccountId)) problems.push(named('accounts', ask.tradeAccountId));
  if (mandate.manage === 'OWN' && !ask.isOwn) problems.push(named('manage', 'ALL', 'OWN'));
  const kinds = ask.effect === 'REDUCES' ? [] : [ask.kind, ...ask.brings];
  for (const kind of new Set(kinds)) if (!mandate.kinds.includes(kind)) problems.push(named('kinds', kind));
  return problems;
}

function openingProblems(
  mandate: Mandate,
  house: HouseLimits | null,
  usage: MandateUsage,
  ask: MandateAsk,
  facts: MandateFacts,
  worst: Decimal,
): readonly BrokenLimit[] {
  const foreign = ask.legs.filter(({ symbol }) => !mayTrade(mandate, symbol));
  const { own } = usage;
  return [
    foreign.length > 0 ? named('instruments', foreign.map(({ symbol }) => symbol).join(', ')) : null,
    mandate.reduceOnly ? named('reduceOnly', null) : null,
    aboveUsd('maxOrderUsd', mandate.maxOrderUsd, null, worst),
    // What waits is opened at another time, and judged by the hours, the day and the minute of then.
    ask.rests > 0 ? null : aboveUsd('maxOpenedUsd24h', mandate.maxOpenedUsd24h, own.openedUsd24h, worst),
    aboveUsd('maxGrossUsd', mandate.maxGrossUsd, own.grossUsd, worst),
    above('maxLeverage', mandate.maxLeverage, null, ask.leverage),
    ask.opensPosition && mandate.maxPositions !== null
      ? above('maxPositions', mandate.maxPositions, own.positions, 1)
      : null,
    ask.rests > 0 ? above('maxResting', mandate.maxResting, own.resting, ask.rests) : null,
    aboveUsd('maxSlippage', mandate.maxSlippage, null, dec(ask.slippage)),
    ask.rests > 0 || mandate.hours === null || isWithinHours(mandate.hours, facts.now)
      ? null
      : named('hours', null, hoursText(mandate.hours)),
    mandate.validUntil !== null && facts.now >= mandate.validUntil
      ? named('validUntil', new Date(facts.now).toISOString(), new Date(mandate.validUntil).toISOString())
      : null,
    reached('lossStop', mandate.lossStop?.usd ?? null, own.lossUsd24h),
    facts.isSuspended ? named('suspended', null) : null,
    ...(house === null ? [] : houseProblems(house, usage.house, ask, worst)),
    ...(ask.isRequest ? rateProblems(mandate, usage) : []),
  ].filter((one) => one !== null);
}

function houseProblems(
  house: HouseLimits,
  used: MoneyUsage,
  ask: MandateAsk,
  worst: Decimal,
): readonly (BrokenLimit | null)[] {
  return [
    aboveUsd('house.maxOrderUsd', house.maxOrderUsd, null, worst),
    ask.rests > 0 ? null : aboveUsd('house.maxOpenedUsd24h', house.maxOpenedUsd24h, used.openedUsd24h, worst),
    aboveUsd('house.maxGrossUsd', house.maxGrossUsd, used.grossUsd, worst),
    ask.opensPosition && house.maxPositions !== null
      ? above('house.maxPositions', house.maxPositions, used.positions, 1)
      : null,
    ask.rests > 0 ? above('house.maxResting', house.maxResting, used.resting, ask.rests) : null,
    reached('house.lossUsd24h', house.lossUsd24h, used.lossUsd24h),
  ];
}

function rateProblems({ rate }: Mandate, usage: MandateUsage): readonly BrokenLimit[] {
  if (usage.isCoolingDown) return [named('rate', null, null)];
  if (usage.lastMinute >= rate.perMinute)
    return [
      { limit: 'rate', allowed: `${rate.perMinute} a minute`, used: `${usage.lastMinute}`, asked: '1' },
    ];
  if (usage.lastDay >= rate.perDay)
    return [{ limit: 'rate', allowed: `${rate.perDay} a day`, used: `${usage.lastDay}`, asked: '1' }];
  return [];
}

function approvalReasons(
  { approval }: Mandate,
  ask: MandateAsk,
  { isLive, firsts }: MandateFacts,
  worst: Decimal,
): readonly ApprovalReason[] {
  // A change of what stands has no order that could wait for a person.
  if (ask.effect !== 'OPENS') return [];
  const byKind: readonly ApprovalReason[] = approval.kinds.includes(ask.kind) ? ['KIND'] : [];
  const isAbove = approval.when === 'above' && approval.aboveUsd !== null && worst.gt(approval.aboveUsd);
  const asksFirsts = approval.firsts === 'all' || (approval.firsts === 'live' && isLive);
  const first = {
    ACCOUNT: 'FIRST_ON_ACCOUNT',
    INSTRUMENT: 'FIRST_OF_INSTRUMENT',
    LIVE: 'FIRST_LIVE',
  } as const;
  return [
    ...(approval.when === 'always' ? (['ALWAYS'] as const) : []),
    ...(isAbove ? (['ABOVE'] as const) : []),
    ...byKind,
    ...(asksFirsts ? firsts.map((one) => first[one]) : []),
  ];
}

function mayTrade({ instruments, deny }: Mandate, symbol: string): boolean {
  return !deny.includes(symbol) && (instruments === 'any' || instruments.includes(symbol));
}

function named(limit: MandateLimit, asked: string | null, allowed: string | null = null): BrokenLimit {
  return { limit, allowed, used: null, asked };
}

/** null: used and asked together are at most what is allowed. */
function aboveUsd(
  limit: MandateLimit,
  allowed: DecimalString | null,
  used: DecimalString | null,
  asked: Decimal,
): BrokenLimit | null {
  if (allowed === null || asked.plus(used ?? 0).lte(allowed)) return null;
  return { limit, allowed, used, asked: text(asked) };
}

function above(
  limit: MandateLimit,
  allowed: number | null,
  used: number | null,
  asked: number,
): BrokenLimit | null {
  if (allowed === null || asked + (used ?? 0) <= allowed) return null;
  return { limit, allowed: `${allowed}`, used: used === null ? null : `${used}`, asked: `${asked}` };
}

/** null: less than that was lost. */
function reached(
  limit: MandateLimit,
  allowed: DecimalString | null,
  used: DecimalString,
): BrokenLimit | null {
  return allowed === null || dec(used).lt(allowed) ? null : { limit, allowed, used, asked: null };
}

function hoursText({ zone, days, from, to }: NonNullable<Mandate['hours']>): string {
  return `${from}–${to} ${zone}, days ${days.join(' ')}`;
}

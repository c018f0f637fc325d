/**
 * Judges a holder's request by its mandate. Pure: the same mandate, usage and request give the same judgement, so that
 * a recorded decision can be repeated.
 *
 * Every broken limit is named, not only the first. Reductions are checked against `accounts` and `manage` alone: no
 * limit keeps money in the market.
 */

import { CLOSE_SLIPPAGE } from './close-slippage.ts';
import { type DecimalString, dec } from './decimal.ts';
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
import { foreignOf, mayTradeAll } from './mandate-instruments.ts';
import type { Owned } from './ownership.ts';
import { isAbove, isSumAbove, type Scaled, scaled, scaledText } from './scaled.ts';

/** USD, as text or as the number that it stands for. */
export type Usd = DecimalString | Scaled;

/** Usage of limits. Money is in USD. */
export interface MoneyUsage<Amount extends Usd = DecimalString> {
  /** Opened within 24 hours: reservations of running executions, and fills of ended ones. */
  readonly openedUsd24h: Amount;
  /** Positions at their opening prices, reservations, and the worst case of pending orders. */
  readonly grossUsd: Amount;
  readonly positions: number;
  /** Upper bound of `positions` that is cheaper to compute. Default none. */
  readonly mostPositions?: number;
  readonly resting: number;
  /** Realised and unrealised loss within 24 hours; negative: a profit. */
  readonly lossUsd24h: Amount;
}

export interface MandateUsage<Amount extends Usd = DecimalString> {
  readonly own: MoneyUsage<Amount>;
  /** Usage of all holders of the user together. */
  readonly house: MoneyUsage<Amount>;
  /** Orders asked for within a minute and within 24 hours. */
  readonly lastMinute: number;
  readonly lastDay: number;
  /** After refusals nothing is taken for a while. */
  readonly isCoolingDown: boolean;
}

/**
 * OPENS: could make a position larger. REDUCES: takes out of one. TIGHTENS: protects a position at least as much as before.
 * LOOSENS: protects it less. CHANGES: its margin and its settings.
 */
export type MandateEffect = 'OPENS' | 'REDUCES' | 'TIGHTENS' | 'LOOSENS' | 'CHANGES';

export interface MandateAsk {
  readonly kind: MandateKind;
  /** Further kinds that come with it: brackets and rebalancing of the position. */
  readonly brings: readonly MandateKind[];
  readonly effect: MandateEffect;
  /** True: it loosens protection, by itself (LOOSENS) or by its brackets. Default false. */
  readonly loosens?: boolean;
  readonly tradeAccountId: string;
  /** False: it touches orders or positions of others. */
  readonly isOwn: boolean;
  /**
   * Part that the holder owns of the request's subject: a position with its brackets, rebalancing and margin, or an
   * instrument with its leverage. Default ALL: the request has no such subject.
   */
  readonly owned?: Owned;
  /** It takes margin out of a position, which raises the leverage. Default false. */
  readonly takesMargin?: boolean;
  /** Legs that open. */
  readonly legs: readonly { readonly symbol: string }[];
  /** Their notional at the worst allowed prices, together. */
  readonly worstUsd: Usd;
  readonly slippage: Usd;
  /** Slippage of closes and take-profits, where a limit may break it. Default none. */
  readonly closingSlippage?: DecimalString | undefined;
  /** True: a close of legs of both sides. Default false. */
  readonly closesHedge?: boolean;
  /** Highest leverage in force of the instruments that it opens, or an upper bound that the mandate allows. */
  readonly leverage: number;
  readonly opensPosition: boolean;
  /** Orders that wait: they open later, and are judged again then. 0: it opens now. */
  readonly rests: number;
  /** False: no request is behind it (a trigger fires, a slice is due, an execution becomes ACTIVE). */
  readonly isRequest: boolean;
}

export interface MandateFacts {
  /** Epoch ms. */
  readonly now: number;
  readonly isSuspended: boolean;
  /** The account is one of real money. */
  readonly isLive: boolean;
  /** First-time events of the holder in this request. */
  readonly firsts: readonly ('ACCOUNT' | 'INSTRUMENT' | 'LIVE')[];
  /** The same order was asked for within the last minute. */
  readonly isDuplicate: boolean;
  /** A person has approved this very request. */
  readonly isApproved: boolean;
}

/** Judges a request. Usage is read only where a limit needs it. */
export function judge(
  mandate: Mandate,
  house: HouseLimits | null,
  usage: MandateUsage<Usd>,
  ask: MandateAsk,
  facts: MandateFacts,
): Judgement {
  const worst = amountOf(ask.worstUsd);
  const broken: BrokenLimit[] = [];
  scopeProblems(mandate, ask, broken);
  if (ask.takesMargin === true) marginProblems(mandate, ask, broken);
  const limits = amountsOf(mandate);
  if (ask.closingSlippage !== undefined) {
    note(broken, closingProblem(limits, ask.closingSlippage));
    // Within less, one leg may well fill and the other not.
    const isNarrow = dec(ask.closingSlippage).lt(CLOSE_SLIPPAGE);
    if (isNarrow && ask.closesHedge === true && (facts.isSuspended || asksToLoosen(mandate)))
      broken.push(named('maxSlippage', ask.closingSlippage, `at least ${CLOSE_SLIPPAGE}`));
  }
  if (ask.effect === 'OPENS') openingProblems(mandate, limits, house, usage, ask, facts, worst, broken);
  // A suspended holder may protect, reduce and close, and nothing else.
  else if (facts.isSuspended && (ask.loosens === true || ask.effect === 'CHANGES'))
    broken.push(named('suspended', null));
  if (ask.effect === 'CHANGES') note(broken, slippageProblem(limits, ask));
  if (broken.length > 0) return { verdict: 'refused', broken };
  const reserveUsd = scaledText(worst);
  const reasons =
    facts.isApproved || !ask.isRequest ? [] : approvalReasons(mandate, limits, ask, facts, worst);
  return reasons.length === 0
    ? { verdict: 'allowed', reserveUsd }
    : { verdict: 'needs_approval', reserveUsd, reasons };
}

/** True: less protection needs an approval. */
export function asksToLoosen({ approval }: Pick<Mandate, 'approval'>): boolean {
  return approval.when !== 'never' || approval.kinds.includes('protect');
}

/** True: some of its orders wait for its user's yes. */
export function asksAboutOrders({ approval }: Pick<Mandate, 'approval'>): boolean {
  return approval.when !== 'never' || approval.kinds.length > 0;
}

/** True: a holder has lost as much as its mandate allows. */
export function hasLost(mandate: Mandate, lossUsd24h: Usd): boolean {
  const { lossStop } = amountsOf(mandate);
  return lossStop !== null && reached('lossStop', lossStop, lossUsd24h) !== null;
}

/** Checks that apply to every request: the account, and the ownership of everything that it touches. */
function scopeProblems(mandate: Mandate, ask: MandateAsk, broken: BrokenLimit[]): void {
  if (!mandate.accounts.includes(ask.tradeAccountId)) broken.push(named('accounts', ask.tradeAccountId));
  const shared = sharedProblem(mandate, ask.owned ?? 'ALL');
  if (shared !== null) broken.push(shared);
  else if (mandate.manage === 'OWN' && !ask.isOwn) broken.push(named('manage', 'ALL', 'OWN'));
  if (ask.effect === 'REDUCES') return;
  // Creating or ending a close needs no kind.
  if (ask.effect === 'LOOSENS' && ask.kind !== 'protect') return;
  if (!mandate.kinds.includes(ask.kind)) broken.push(named('kinds', ask.kind));
  if (ask.brings.length === 0) return;
  for (const kind of new Set(ask.brings))
    if (kind !== ask.kind && !mandate.kinds.includes(kind)) broken.push(named('kinds', kind));
}

/** null: it may act on all of something of which its holder owns this much. */
export function sharedProblem({ manage }: Pick<Mandate, 'manage'>, owned: Owned): BrokenLimit | null {
  if (manage === 'ALL' || owned === 'ALL') return null;
  return { limit: 'manage', allowed: 'OWN', used: owned, asked: 'ALL' };
}

/**
 * Taking margin out brings the liquidation nearer, as a higher leverage does. So it is no added margin, and a user who
 * approves orders approves it too.
 */
function marginProblems(mandate: Mandate, ask: MandateAsk, broken: BrokenLimit[]): void {
  if (!mandate.rights.changeLeverage || asksAboutOrders(mandate)) note(broken, named('changeLeverage', null));
  if (mandate.maxLeverage !== null)
    note(broken, above('maxLeverage', mandate.maxLeverage, null, ask.leverage));
}

/** A close within the default slippage of closes is always possible: no limit keeps money in the market. */
function closingProblem({ maxSlippage }: Amounts, asked: DecimalString): BrokenLimit | null {
  if (maxSlippage === null || dec(asked).lte(CLOSE_SLIPPAGE)) return null;
  return aboveUsd('maxSlippage', maxSlippage, null, scaled(asked));
}

function slippageProblem({ maxSlippage }: Amounts, { slippage }: MandateAsk): BrokenLimit | null {
  return maxSlippage === null ? null : aboveUsd('maxSlippage', maxSlippage, null, amountOf(slippage));
}

function openingProblems(
  mandate: Mandate,
  limits: Amounts,
  house: HouseLimits | null,
  usage: MandateUsage<Usd>,
  ask: MandateAsk,
  facts: MandateFacts,
  worst: Scaled,
  broken: BrokenLimit[],
): void {
  const { own } = usage;
  const rests = ask.rests > 0;
  if (!mayTradeAll(mandate, ask)) note(broken, named('instruments', foreignOf(mandate, ask)));
  if (mandate.reduceOnly) note(broken, named('reduceOnly', null));
  if (limits.maxOrderUsd !== null) note(broken, aboveUsd('maxOrderUsd', limits.maxOrderUsd, null, worst));
  // Pending orders open later. Hours, daily amount and rate are then checked at that time.
  if (limits.maxOpenedUsd24h !== null && !rests)
    note(broken, aboveUsd('maxOpenedUsd24h', limits.maxOpenedUsd24h, own.openedUsd24h, worst));
  if (limits.maxGrossUsd !== null)
    note(broken, aboveUsd('maxGrossUsd', limits.maxGrossUsd, own.grossUsd, worst));
  if (mandate.maxLeverage !== null)
    note(broken, above('maxLeverage', mandate.maxLeverage, null, ask.leverage));
  if (mandate.maxPositions !== null && ask.opensPosition && isNear(mandate.maxPositions, own))
    note(broken, above('maxPositions', mandate.maxPositions, own.positions, 1));
  if (mandate.maxResting !== null && rests)
    note(broken, above('maxResting', mandate.maxResting, own.resting, ask.rests));
  note(broken, slippageProblem(limits, ask));
  if (!rests && mandate.hours !== null && !isWithinHours(mandate.hours, facts.now))
    note(broken, named('hours', null, hoursText(mandate.hours)));
  if (mandate.validUntil !== null && facts.now >= mandate.validUntil)
    note(
      broken,
      named('validUntil', new Date(facts.now).toISOString(), new Date(mandate.validUntil).toISOString()),
    );
  if (limits.lossStop !== null) note(broken, reached('lossStop', limits.lossStop, own.lossUsd24h));
  if (facts.isSuspended) note(broken, named('suspended', null));
  if (house !== null) houseProblems(house, usage.house, ask, worst, broken);
  if (ask.isRequest) note(broken, rateProblem(mandate, usage));
}

function houseProblems(
  house: HouseLimits,
  used: MoneyUsage<Usd>,
  ask: MandateAsk,
  worst: Scaled,
  broken: BrokenLimit[],
): void {
  const rests = ask.rests > 0;
  const limits = amountsOf(house);
  if (limits.maxOrderUsd !== null)
    note(broken, aboveUsd('house.maxOrderUsd', limits.maxOrderUsd, null, worst));
  if (limits.maxOpenedUsd24h !== null && !rests)
    note(broken, aboveUsd('house.maxOpenedUsd24h', limits.maxOpenedUsd24h, used.openedUsd24h, worst));
  if (limits.maxGrossUsd !== null)
    note(broken, aboveUsd('house.maxGrossUsd', limits.maxGrossUsd, used.grossUsd, worst));
  if (house.maxPositions !== null && ask.opensPosition && isNear(house.maxPositions, used))
    note(broken, above('house.maxPositions', house.maxPositions, used.positions, 1));
  if (house.maxResting !== null && rests)
    note(broken, above('house.maxResting', house.maxResting, used.resting, ask.rests));
  if (limits.lossUsd24h !== null)
    note(broken, reached('house.lossUsd24h', limits.lossUsd24h, used.lossUsd24h));
}

function note(broken: BrokenLimit[], problem: BrokenLimit | null): void {
  if (problem !== null) broken.push(problem);
}

/** A limit with its text, which answers quote. */
interface Limit {
  readonly text: DecimalString;
  readonly value: Scaled;
}

type Amounts = {
  readonly [name in
    | 'maxOrderUsd'
    | 'maxOpenedUsd24h'
    | 'maxGrossUsd'
    | 'maxSlippage'
    | 'lossStop'
    | 'lossUsd24h'
    | 'aboveUsd']: Limit | null;
};

/** Terms never change: a change of a mandate is another object. */
const AMOUNTS = new WeakMap<Mandate | HouseLimits, Amounts>();

/** Latest entry read: one judgement reads the same one several times. */
let last: { readonly terms: Mandate | HouseLimits; readonly amounts: Amounts } | null = null;

/** The amounts of limits as numbers, read once. */
function amountsOf(terms: Mandate | HouseLimits): Amounts {
  if (last?.terms === terms) return last.amounts;
  const amounts = AMOUNTS.get(terms) ?? readAmounts(terms);
  last = { terms, amounts };
  return amounts;
}

function readAmounts(terms: Mandate | HouseLimits): Amounts {
  const { maxOrderUsd, maxOpenedUsd24h, maxGrossUsd } = terms;
  const own = 'approval' in terms ? terms : null;
  const amounts = {
    maxOrderUsd: limitOf(maxOrderUsd),
    maxOpenedUsd24h: limitOf(maxOpenedUsd24h),
    maxGrossUsd: limitOf(maxGrossUsd),
    maxSlippage: limitOf(own?.maxSlippage ?? null),
    lossStop: limitOf(own?.lossStop?.usd ?? null),
    lossUsd24h: limitOf('lossUsd24h' in terms ? terms.lossUsd24h : null),
    aboveUsd: limitOf(own?.approval.aboveUsd ?? null),
  };
  AMOUNTS.set(terms, amounts);
  return amounts;
}

function limitOf(text: DecimalString | null): Limit | null {
  return text === null ? null : { text, value: scaled(text) };
}

function amountOf(usd: Usd): Scaled {
  return typeof usd === 'string' ? scaled(usd) : usd;
}

function textOf(usd: Usd): DecimalString {
  return typeof usd === 'string' ? usd : scaledText(usd);
}

function rateProblem({ rate }: Mandate, usage: MandateUsage<Usd>): BrokenLimit | null {
  if (usage.isCoolingDown) return named('rate', null, null);
  const { lastMinute, lastDay } = usage;
  if (lastMinute >= rate.perMinute)
    return { limit: 'rate', allowed: `${rate.perMinute} a minute`, used: `${lastMinute}`, asked: '1' };
  if (lastDay >= rate.perDay)
    return { limit: 'rate', allowed: `${rate.perDay} a day`, used: `${lastDay}`, asked: '1' };
  return null;
}

const FIRSTS = {
  ACCOUNT: 'FIRST_ON_ACCOUNT',
  INSTRUMENT: 'FIRST_OF_INSTRUMENT',
  LIVE: 'FIRST_LIVE',
} as const;

function approvalReasons(
  mandate: Mandate,
  { aboveUsd: bound }: Amounts,
  ask: MandateAsk,
  { isLive, firsts, isDuplicate }: MandateFacts,
  worst: Scaled,
): readonly ApprovalReason[] {
  const { approval } = mandate;
  const reasons: ApprovalReason[] = [];
  if (ask.loosens === true && asksToLoosen(mandate)) reasons.push('LOOSENS');
  // Reductions and protection need no approval.
  if (ask.effect !== 'OPENS') return reasons;
  const isLarge = approval.when === 'above' && bound !== null && isAbove(worst, bound.value);
  const asksFirsts = approval.firsts === 'all' || (approval.firsts === 'live' && isLive);
  if (approval.when === 'always') reasons.push('ALWAYS');
  if (isLarge) reasons.push('ABOVE');
  if (approval.kinds.includes(ask.kind)) reasons.push('KIND');
  if (asksFirsts) for (const one of firsts) reasons.push(FIRSTS[one]);
  if (isDuplicate && approval.duplicates === 'ask') reasons.push('DUPLICATE');
  return reasons;
}

function named(limit: MandateLimit, asked: string | null, allowed: string | null = null): BrokenLimit {
  return { limit, allowed, used: null, asked };
}

/** null: used and requested together are within the limit. */
function aboveUsd(limit: MandateLimit, allowed: Limit, used: Usd | null, asked: Scaled): BrokenLimit | null {
  const isBroken =
    used === null ? isAbove(asked, allowed.value) : isSumAbove(asked, amountOf(used), allowed.value);
  if (!isBroken) return null;
  return {
    limit,
    allowed: allowed.text,
    used: used === null ? null : textOf(used),
    asked: scaledText(asked),
  };
}

/** True: one more position could exceed the limit. */
function isNear(maxPositions: number, { mostPositions }: MoneyUsage<Usd>): boolean {
  return mostPositions === undefined || mostPositions >= maxPositions;
}

function above(limit: MandateLimit, allowed: number, used: number | null, asked: number): BrokenLimit | null {
  if (asked + (used ?? 0) <= allowed) return null;
  return { limit, allowed: `${allowed}`, used: used === null ? null : `${used}`, asked: `${asked}` };
}

/** null: less than that was lost. */
function reached(limit: MandateLimit, allowed: Limit, used: Usd): BrokenLimit | null {
  if (isAbove(allowed.value, amountOf(used))) return null;
  return { limit, allowed: allowed.text, used: textOf(used), asked: null };
}

function hoursText({ zone, days, from, to }: NonNullable<Mandate['hours']>): string {
  return `${from}–${to} ${zone}, days ${days.join(' ')}`;
}

/**
 * Comparison of mandates. `narrower` allows only what both allow; by it the restrictions of a pending change apply at
 * once. Every comparison follows from it: a mandate that `narrower` leaves as it is allows no more.
 */
import { type DecimalString, dec } from './decimal.ts';
import { MANDATE_KINDS, MANDATE_RIGHTS } from './enumerations.ts';
import type { HouseLimits, Mandate, MandateApproval, MandateHours, MandateRight } from './mandate.ts';

const APPROVAL_RANK = { never: 0, above: 1, always: 2 } as const;
const FIRSTS_RANK = { off: 0, live: 1, all: 2 } as const;

/** Intersection of both mandates. Lists keep the order of `a`. */
export function narrower(a: Mandate, b: Mandate): Mandate {
  return {
    accounts: common(a.accounts, b.accounts),
    instruments:
      a.instruments === 'any'
        ? b.instruments
        : b.instruments === 'any'
          ? a.instruments
          : common(a.instruments, b.instruments),
    deny: all(a.deny, b.deny),
    kinds: common(a.kinds, b.kinds),
    reduceOnly: a.reduceOnly || b.reduceOnly,
    manage: a.manage === 'ALL' ? b.manage : a.manage,
    maxOrderUsd: lessUsd(a.maxOrderUsd, b.maxOrderUsd),
    maxOpenedUsd24h: lessUsd(a.maxOpenedUsd24h, b.maxOpenedUsd24h),
    maxGrossUsd: lessUsd(a.maxGrossUsd, b.maxGrossUsd),
    maxLeverage: less(a.maxLeverage, b.maxLeverage),
    maxPositions: less(a.maxPositions, b.maxPositions),
    maxResting: less(a.maxResting, b.maxResting),
    maxSlippage: lessUsd(a.maxSlippage, b.maxSlippage),
    hours: commonHours(a.hours, b.hours),
    validUntil: less(a.validUntil, b.validUntil),
    lossStop: earlierStop(a.lossStop, b.lossStop),
    approval: stricterApproval(a.approval, b.approval),
    rate: {
      perMinute: Math.min(a.rate.perMinute, b.rate.perMinute),
      perDay: Math.min(a.rate.perDay, b.rate.perDay),
      coolDownSeconds: Math.max(a.rate.coolDownSeconds, b.rate.coolDownSeconds),
    },
    rights: rightsOf((right) => a.rights[right] && b.rights[right]),
    ...stricterRunaway(a.runaway, b.runaway),
  };
}

/** Intersection of both limits. */
export function narrowerHouse(a: HouseLimits, b: HouseLimits): HouseLimits {
  return {
    maxOrderUsd: lessUsd(a.maxOrderUsd, b.maxOrderUsd),
    maxOpenedUsd24h: lessUsd(a.maxOpenedUsd24h, b.maxOpenedUsd24h),
    maxGrossUsd: lessUsd(a.maxGrossUsd, b.maxGrossUsd),
    maxPositions: less(a.maxPositions, b.maxPositions),
    maxResting: less(a.maxResting, b.maxResting),
    lossUsd24h: lessUsd(a.lossUsd24h, b.lossUsd24h),
  };
}

/** Fields in which `next` allows something that `before` does not. Empty: it only restricts, or changes nothing. */
export function widerFields(before: Mandate, next: Mandate): readonly (keyof Mandate)[] {
  const both = narrower(next, before);
  const fields = new Set([...Object.keys(before), ...Object.keys(next)] as (keyof Mandate)[]);
  return [...fields].filter((field) => !isSame(both[field], next[field]));
}

/** True: `next` allows something that `before` does not; null: no limit was set. */
export function isHouseWider(before: HouseLimits | null, next: HouseLimits): boolean {
  return before !== null && !isSame(narrowerHouse(next, before), next);
}

/** A mandate without limits, for a suspended holder that has none of its own. */
export function boundlessMandate(accounts: readonly string[]): Mandate {
  return {
    accounts,
    instruments: 'any',
    deny: [],
    kinds: MANDATE_KINDS,
    reduceOnly: false,
    manage: 'ALL',
    maxOrderUsd: null,
    maxOpenedUsd24h: null,
    maxGrossUsd: null,
    maxLeverage: null,
    maxPositions: null,
    maxResting: null,
    maxSlippage: null,
    hours: null,
    validUntil: null,
    lossStop: null,
    approval: {
      when: 'never',
      aboveUsd: null,
      kinds: [],
      passwordAboveUsd: null,
      lifeSeconds: 600,
      driftBps: 50,
      firsts: 'off',
    },
    rate: {
      perMinute: Number.MAX_SAFE_INTEGER,
      perDay: Number.MAX_SAFE_INTEGER,
      coolDownSeconds: 0,
    },
    rights: rightsOf(() => true),
  };
}

function rightsOf(has: (right: MandateRight) => boolean): Mandate['rights'] {
  return Object.fromEntries(MANDATE_RIGHTS.map((right) => [right, has(right)])) as Record<
    MandateRight,
    boolean
  >;
}

function common<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  return a.filter((one) => b.includes(one));
}

function all<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  return [...a, ...b.filter((one) => !a.includes(one))];
}

function less(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

function lessUsd(a: DecimalString | null, b: DecimalString | null): DecimalString | null {
  if (a === null || b === null) return a ?? b;
  return dec(b).lt(a) ? b : a;
}

function earlierStop(a: Mandate['lossStop'], b: Mandate['lossStop']): Mandate['lossStop'] {
  if (a === null || b === null) return a ?? b;
  const closes = a.then === 'SUSPEND_AND_CLOSE' || b.then === 'SUSPEND_AND_CLOSE';
  // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
  return { usd: dec(b.usd).lt(a.usd) ? b.usd : a.usd, then: closes ? 'SUSPEND_AND_CLOSE' : 'SUSPEND' };
}

/** If only one mandate has rules, they apply. */
function stricterRunaway(a: Mandate['runaway'], b: Mandate['runaway']): Pick<Mandate, 'runaway'> {
  if (a === undefined || b === undefined) {
    const runaway = a ?? b;
    return runaway === undefined ? {} : { runaway };
  }
  return {
    runaway: {
      refusals: less(a.refusals, b.refusals),
      reopenings: less(a.reopenings, b.reopenings),
      feesUsd: lessUsd(a.feesUsd, b.feesUsd),
    },
  };
}

/** If neither asks, `a` stays as it is: leaving the field out means `allow`. */
function stricterDuplicates(a: MandateApproval, b: MandateApproval): Pick<MandateApproval, 'duplicates'> {
  if (a.duplicates === 'ask' || b.duplicates === 'ask') return { duplicates: 'ask' };
  return a.duplicates === undefined ? {} : { duplicates: a.duplicates };
}

function stricterApproval(a: MandateApproval, b: MandateApproval): MandateApproval {
  const { when } = APPROVAL_RANK[b.when] > APPROVAL_RANK[a.when] ? b : a;
  return {
    when,
    aboveUsd: when === 'above' ? lessUsd(a.aboveUsd, b.aboveUsd) : null,
    kinds: all(a.kinds, b.kinds),
    passwordAboveUsd: lessUsd(a.passwordAboveUsd, b.passwordAboveUsd),
    lifeSeconds: Math.min(a.lifeSeconds, b.lifeSeconds),
    driftBps: Math.min(a.driftBps, b.driftBps),
    firsts: (FIRSTS_RANK[b.firsts] > FIRSTS_RANK[a.firsts] ? b : a).firsts,
    ...stricterDuplicates(a, b),
  };
}

/**
 * The hours of one that lie in those of the other. If neither lies in the other there are none: two spans may have two
 * parts in common, which no hours can express, and a change is pending for a moment only.
 */
function commonHours(a: MandateHours | null, b: MandateHours | null): MandateHours | null {
  if (a === null || b === null) return a ?? b;
  if (isDuring(a, b)) return a;
  return isDuring(b, a) ? b : { ...a, days: [] };
}

function isDuring(inner: MandateHours, outer: MandateHours): boolean {
  if (inner.zone !== outer.zone || inner.days.some((day) => !outer.days.includes(day))) return false;
  if (inner.from === outer.from && inner.to === outer.to) return true;
  const isWithinDay = ({ from, to }: MandateHours) => from < to;
  return isWithinDay(inner) && isWithinDay(outer) && inner.from >= outer.from && inner.to <= outer.to;
}

/** Deep equality of JSON values, members and lists of names in any order. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one) => b.includes(one));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const other: Readonly<Record<string, unknown>> = { ...b };
  const members = Object.entries(a);
  return members.length === Object.keys(b).length && members.every(([name, one]) => isSame(one, other[name]));
}

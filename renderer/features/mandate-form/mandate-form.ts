/** Form for limits: the typed draft, and its conversion to a mandate's terms. */
import type { z } from 'zod';
import type { HouseLimitsBody, MandateBody, mandate } from '../../../gateway/contract/mandate.ts';
import { fractionOf, percentOfFraction } from '../percent/percent.ts';

export interface MandateDraft {
  readonly accounts: readonly string[];
  readonly maxOrderUsd: string;
  readonly maxOpenedUsd24h: string;
  readonly maxGrossUsd: string;
  readonly lossUsd: string;
  readonly lossThen: 'SUSPEND' | 'SUSPEND_AND_CLOSE';
  readonly when: 'never' | 'above' | 'always';
  readonly aboveUsd: string;
  readonly maxLeverage: string;
  readonly maxPositions: string;
  readonly maxResting: string;
  /** Distance from the mark price, in percent. */
  readonly slippage: string;
  readonly manage: 'OWN' | 'ALL';
  readonly reduceOnly: boolean;
  readonly kinds: MandateBody['kinds'];
  readonly rights: MandateBody['rights'];
  /** Further thresholds that suspend it, besides a loss; empty: no threshold. */
  readonly refusals: string;
  readonly reopenings: string;
  readonly feesUsd: string;
  /** True: repeating the same order within a minute needs a person's approval. */
  readonly asksSame: boolean;
  /** Days until expiry, from now; empty: no expiry. */
  readonly days: string;
  readonly password: string;
}

const DAY_MS = 86_400_000;
/** Ten years. */
const MOST_DAYS = 3_650;
const typed = (value: string | number | null) => (value === null ? '' : String(value));
const daysLeft = (validUntil: string | null, now: number) =>
  validUntil === null ? '' : String(Math.max(0, Math.round((Date.parse(validUntil) - now) / DAY_MS)));

export function draftOf(terms: MandateBody, now: number): MandateDraft {
  return {
    accounts: terms.accounts,
    maxOrderUsd: typed(terms.maxOrderUsd),
    maxOpenedUsd24h: typed(terms.maxOpenedUsd24h),
    maxGrossUsd: typed(terms.maxGrossUsd),
    lossUsd: typed(terms.lossStop?.usd ?? null),
    lossThen: terms.lossStop?.then ?? 'SUSPEND',
    when: terms.approval.when,
    aboveUsd: typed(terms.approval.aboveUsd),
    maxLeverage: typed(terms.maxLeverage),
    maxPositions: typed(terms.maxPositions),
    maxResting: typed(terms.maxResting),
    slippage: terms.maxSlippage === null ? '' : percentOfFraction(terms.maxSlippage),
    manage: terms.manage,
    reduceOnly: terms.reduceOnly,
    kinds: terms.kinds,
    rights: terms.rights,
    refusals: typed(terms.runaway?.refusals ?? null),
    reopenings: typed(terms.runaway?.reopenings ?? null),
    feesUsd: typed(terms.runaway?.feesUsd ?? null),
    asksSame: terms.approval.duplicates === 'ask',
    days: daysLeft(terms.validUntil, now),
    password: '',
  };
}

/** An amount as typed; empty: not limited. */
const amount = (text: string) => (text.trim() === '' ? null : text.trim());

/**
 * A count as typed. Other text stays, for the schema or the gateway to refuse: `NaN` would be no limit once it is JSON.
 */
function count(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : (trimmed as unknown as number);
}

/** @param terms initial terms of the draft: parts that the draft does not show are kept */
export function termsOf(terms: MandateBody, draft: MandateDraft, now: number): z.input<typeof mandate> {
  const loss = amount(draft.lossUsd);
  return {
    ...terms,
    accounts: [...draft.accounts],
    maxOrderUsd: amount(draft.maxOrderUsd),
    maxOpenedUsd24h: amount(draft.maxOpenedUsd24h),
    maxGrossUsd: amount(draft.maxGrossUsd),
    // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
    lossStop: loss === null ? null : { usd: loss, then: draft.lossThen },
    approval: {
      ...terms.approval,
      when: draft.when,
      aboveUsd: draft.when === 'above' ? amount(draft.aboveUsd) : null,
      duplicates: draft.asksSame ? 'ask' : 'allow',
    },
    maxLeverage: count(draft.maxLeverage),
    maxPositions: count(draft.maxPositions),
    maxResting: count(draft.maxResting),
    maxSlippage: draft.slippage.trim() === '' ? null : fractionOf(draft.slippage),
    manage: draft.manage,
    reduceOnly: draft.reduceOnly,
    kinds: [...draft.kinds],
    rights: draft.rights,
    validUntil: endOf(terms.validUntil, draft.days, now),
    runaway: {
      refusals: count(draft.refusals),
      reopenings: count(draft.reopenings),
      feesUsd: amount(draft.feesUsd),
    },
  };
}

/** Keeps the expiry to the second while its days are unchanged. */
function endOf(before: string | null, days: string, now: number): string | null {
  if (days.trim() === daysLeft(before, now)) return before;
  const whole = days.trim();
  if (whole === '') return null;
  const isDays = /^\d{1,4}$/.test(whole) && Number(whole) <= MOST_DAYS;
  return isDays ? new Date(now + Number(whole) * DAY_MS).toISOString() : days;
}

export type HouseDraft = Readonly<Record<keyof HouseLimitsBody | 'password', string>>;

export function houseDraft(limits: HouseLimitsBody): HouseDraft {
  return {
    maxOrderUsd: typed(limits.maxOrderUsd),
    maxOpenedUsd24h: typed(limits.maxOpenedUsd24h),
    maxGrossUsd: typed(limits.maxGrossUsd),
    maxPositions: typed(limits.maxPositions),
    maxResting: typed(limits.maxResting),
    lossUsd24h: typed(limits.lossUsd24h),
    password: '',
  };
}

export function houseOf(draft: HouseDraft): HouseLimitsBody {
  return {
    maxOrderUsd: amount(draft.maxOrderUsd),
    maxOpenedUsd24h: amount(draft.maxOpenedUsd24h),
    maxGrossUsd: amount(draft.maxGrossUsd),
    maxPositions: count(draft.maxPositions),
    maxResting: count(draft.maxResting),
    lossUsd24h: amount(draft.lossUsd24h),
  };
}

/** Sentences that a change removes, and sentences that it adds, each in their order. */
export function difference(
  before: readonly string[],
  after: readonly string[],
): { readonly gone: readonly string[]; readonly added: readonly string[] } {
  return {
    gone: before.filter((sentence) => !after.includes(sentence)),
    added: after.filter((sentence) => !before.includes(sentence)),
  };
}

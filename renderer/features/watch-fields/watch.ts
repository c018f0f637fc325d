/** A trigger's condition, as typed and as sent. */
import {
  CONDITIONS,
  type ConditionType,
  conditionUnit,
  isPair,
} from '../../../gateway/domain/condition-table.ts';
import { type Transformation, type TransformKind, UNIT_SIGNS } from '../../../gateway/domain/metrics.ts';
import type { ChartSubject } from '../ratio-chart/subject.ts';
import { USUAL_HOURS } from '../ratio-chart/transform.ts';

export interface WatchDraft {
  readonly type: ConditionType;
  readonly direction: 'MORE_THAN' | 'LESS_THAN';
  /** The level, shared by all types: a change of type keeps it. */
  readonly value: string;
  /** Instrument of a PRICE condition; null: the basket's first leg. */
  readonly symbol: string | null;
  /** Instrument of a CROSS_ASSET_PRICE condition. */
  readonly crossSymbol: string | null;
  /** Market of PREDICTION_MARKET_OUTCOME: source and key, as the feed names them. */
  readonly market: { readonly source: string; readonly marketKey: string } | null;
  /** Transform of a ratio that is compared; empty: the ratio itself. */
  readonly transform: TransformKind | '';
  /** Hours of the transform, as typed. */
  readonly lookback: string;
  readonly priceSource: 'MARK' | 'LAST' | 'INDEX';
  /** ISO 8601; empty: the trigger does not expire. */
  readonly expiresAt: string;
  readonly allowImmediate: boolean;
  readonly onMissed: 'FIRE' | 'SKIP';
}

export const NEW_WATCH: WatchDraft = {
  type: 'PRICE_RATIO',
  direction: 'LESS_THAN',
  value: '',
  symbol: null,
  crossSymbol: null,
  market: null,
  transform: '',
  lookback: String(USUAL_HOURS),
  priceSource: 'MARK',
  expiresAt: '',
  allowImmediate: false,
  onMissed: 'FIRE',
};

/** Types in the order of the menu: a pair's own measures come first. */
const MENU = [
  'PRICE_RATIO',
  'WEIGHTED_RATIO',
  'PRICE',
  'CROSS_ASSET_PRICE',
  'BTC_DOM',
  'PREDICTION_MARKET_OUTCOME',
] as const satisfies readonly ConditionType[];

interface WatchLeg {
  readonly id: string;
  readonly side: 'BUY' | 'SELL';
}

/** Condition types: PRICE_RATIO needs one long and one short leg, two types need a feed of the connector. */
export function conditionTypes(
  legs: readonly WatchLeg[],
  capabilities: readonly string[],
): readonly { readonly type: ConditionType; readonly unavailable: string | null }[] {
  return MENU.map((type) => {
    const { legs: fitting, feed } = CONDITIONS[type];
    if (fitting === 'pair' && !isPair(legs)) return { type, unavailable: 'Needs one long and one short leg' };
    const isTold = feed === null || capabilities.includes(feed.capability);
    return { type, unavailable: isTold ? null : 'This venue has no feed for it' };
  });
}

/** Watch fields of the body; missing choices are left for the contract's schema to refuse. */
export function watchInput(draft: WatchDraft, legs: readonly WatchLeg[]) {
  const { expiresAt } = draft;
  return {
    condition: conditionInput(draft, legs),
    priceSource: transformOf(draft) === '' ? draft.priceSource : ('MARK' as const),
    allowImmediate: draft.allowImmediate,
    onMissed: draft.onMissed,
    ...(expiresAt === '' ? {} : { expiresAt }),
  };
}

function conditionInput(draft: WatchDraft, legs: readonly WatchLeg[]) {
  const { type, direction } = draft;
  const common = { type, direction, value: draft.value.trim() };
  switch (CONDITIONS[type].names) {
    case 'leg':
      return { ...common, symbol: watchedLeg(draft, legs) };
    case 'instrument':
      return { ...common, symbol: draft.crossSymbol ?? '' };
    case 'prediction':
      return { ...common, source: draft.market?.source ?? '', marketKey: draft.market?.marketKey ?? '' };
    case 'ratio': {
      const transform = transformOf(draft);
      return transform === '' ? common : { ...common, transform, lookback: hoursOf(draft.lookback) };
    }
    case 'nothing':
      return common;
  }
}

/** The compared transform; empty: none, or the condition is not about a ratio. */
export function transformOf(draft: Pick<WatchDraft, 'type' | 'transform'>): TransformKind | '' {
  return CONDITIONS[draft.type].names === 'ratio' ? draft.transform : '';
}

/** Text that is not a whole number is left for the contract's schema to refuse. */
export function hoursOf(typed: string): number {
  return typed.trim() === '' ? Number.NaN : Number(typed);
}

/** The leg that a PRICE condition watches: the chosen leg while the basket has it, else the first. */
export function watchedLeg(draft: Pick<WatchDraft, 'symbol'>, legs: readonly WatchLeg[]): string {
  const chosen = legs.find((leg) => leg.id === draft.symbol) ?? legs[0];
  return chosen?.id ?? '';
}

/** Unit of a condition's level; percentages are sent as percent. */
export function unitOf(condition: { readonly type: ConditionType } & Transformation): '%' | 'USD' | '' {
  return UNIT_SIGNS[conditionUnit(condition)];
}

/** Chart subject of the condition; null: a feed in percent, or no instrument chosen yet. */
export function subjectOf(draft: WatchDraft, legs: readonly WatchLeg[]): ChartSubject | null {
  const { chart, names } = CONDITIONS[draft.type];
  if (chart !== 'PRICE') return chart === null ? null : { metric: chart };
  const symbol = names === 'leg' ? watchedLeg(draft, legs) : (draft.crossSymbol ?? '');
  return symbol === '' ? null : { metric: 'PRICE', symbol };
}

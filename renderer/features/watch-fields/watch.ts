/** What a trigger waits for, as it is typed and as it is sent. */
export type ConditionType =
  | 'PRICE'
  | 'PRICE_RATIO'
  | 'WEIGHTED_RATIO'
  | 'CROSS_ASSET_PRICE'
  | 'BTC_DOM'
  | 'PREDICTION_MARKET_OUTCOME';

export type Direction = 'MORE_THAN' | 'LESS_THAN';

export interface WatchDraft {
  readonly type: ConditionType;
  readonly direction: Direction;
  /** The level. One for all types: changing the type loses nothing. */
  readonly value: string;
  /** Instrument of PRICE; null: the basket's first leg. */
  readonly symbol: string | null;
  /** Instrument of CROSS_ASSET_PRICE. */
  readonly crossSymbol: string | null;
  /** Of PREDICTION_MARKET_OUTCOME: source and key, as the feed names them. */
  readonly market: { readonly source: string; readonly marketKey: string } | null;
  readonly priceSource: 'MARK' | 'LAST' | 'INDEX';
  /** ISO 8601; empty: waits for ever. */
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
  priceSource: 'MARK',
  expiresAt: '',
  allowImmediate: false,
  onMissed: 'FIRE',
};

export const CONDITION_NAMES: Readonly<Record<ConditionType, string>> = {
  PRICE: 'Price of a leg',
  PRICE_RATIO: 'Price ratio',
  WEIGHTED_RATIO: 'Weighted ratio',
  CROSS_ASSET_PRICE: 'Price of another instrument',
  BTC_DOM: 'Bitcoin dominance',
  PREDICTION_MARKET_OUTCOME: 'Prediction market',
};

interface WatchLeg {
  readonly id: string;
  readonly side: 'BUY' | 'SELL';
}

/** Conditions that can be asked for: PRICE_RATIO wants one long and one short, two need a feed of the connector. */
export function conditionTypes(
  legs: readonly WatchLeg[],
  capabilities: readonly string[],
): readonly { readonly type: ConditionType; readonly unavailable: string | null }[] {
  const isPair = legs.length === 2 && legs.filter((leg) => leg.side === 'BUY').length === 1;
  const without = (capability: string) =>
    capabilities.includes(capability) ? null : 'This venue has no feed for it';
  return [
    { type: 'PRICE_RATIO', unavailable: isPair ? null : 'Needs one long and one short leg' },
    { type: 'WEIGHTED_RATIO', unavailable: null },
    { type: 'PRICE', unavailable: null },
    { type: 'CROSS_ASSET_PRICE', unavailable: null },
    { type: 'BTC_DOM', unavailable: without('btc_dominance') },
    { type: 'PREDICTION_MARKET_OUTCOME', unavailable: without('prediction_markets') },
  ];
}

/** The fields of the body; what is not chosen is left to the contract's schema to refuse. */
export function watchInput(draft: WatchDraft, legs: readonly WatchLeg[]) {
  const { expiresAt } = draft;
  return {
    condition: conditionInput(draft, legs),
    priceSource: draft.priceSource,
    allowImmediate: draft.allowImmediate,
    onMissed: draft.onMissed,
    ...(expiresAt === '' ? {} : { expiresAt }),
  };
}

function conditionInput(draft: WatchDraft, legs: readonly WatchLeg[]) {
  const { type, direction } = draft;
  const common = { type, direction, value: draft.value.trim() };
  switch (type) {
    case 'PRICE':
      return { ...common, symbol: watchedLeg(draft, legs) };
    case 'CROSS_ASSET_PRICE':
      return { ...common, symbol: draft.crossSymbol ?? '' };
    case 'PREDICTION_MARKET_OUTCOME':
      return { ...common, source: draft.market?.source ?? '', marketKey: draft.market?.marketKey ?? '' };
    case 'PRICE_RATIO':
    case 'WEIGHTED_RATIO':
    case 'BTC_DOM':
      return common;
  }
}

/** The leg that PRICE watches: the chosen one while it is in the basket, else the first. */
export function watchedLeg(draft: Pick<WatchDraft, 'symbol'>, legs: readonly WatchLeg[]): string {
  const chosen = legs.find((leg) => leg.id === draft.symbol) ?? legs[0];
  return chosen?.id ?? '';
}

/** Percent conditions are typed and sent in percent. */
export function unitOf(type: ConditionType): '%' | 'USD' | '' {
  if (type === 'BTC_DOM' || type === 'PREDICTION_MARKET_OUTCOME') return '%';
  return type === 'PRICE' || type === 'CROSS_ASSET_PRICE' ? 'USD' : '';
}

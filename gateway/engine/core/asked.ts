/** Requests under a mandate, as the pre-trade risk check judges them. */
import type { Placed } from '../../domain/authority.ts';
import type { JsonValue } from '../../domain/canonical-json.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import type { MandateKind } from '../../domain/mandate.ts';
import type { MandateAsk } from '../../domain/mandate-judgement.ts';
import type { Position, TradeAccount, TradeLeg } from '../../domain/model.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';
import type { Without } from './mandate-usage.ts';

/** Legs to be traded within one slippage, at once or later. */
export interface AskedTrade {
  readonly legs: readonly TradeLeg[];
  readonly totalUsd: DecimalString | null;
  readonly slippage: DecimalString;
}

/** Target that a request affects as a whole, whoever owns it: a position, or all the account holds of an instrument. */
export type ActsOn = { readonly position: Position } | { readonly symbol: string };

/** Protection that a request removes. */
export interface Loss {
  readonly words: string;
  /** Authority of the bracket or rebalancing that is lost; left out: the loss is another one. */
  readonly owner?: Placed;
}

/** Request of an agent or API key with a mandate. */
export interface Asked {
  readonly account: TradeAccount;
  readonly kind: MandateKind;
  readonly effect: MandateAsk['effect'];
  readonly trades: readonly AskedTrade[];
  /** Reduction of the position beside the trades. A person sees it; no limit counts it. Default none. */
  readonly takesOut?: AskedTrade | undefined;
  /** Mandate kinds of the brackets and rebalancing that come with the request. Default none. */
  readonly brings?: readonly MandateKind[];
  /** Protection that the request removes; left out if none. */
  readonly loosens?: readonly Loss[] | undefined;
  /** False: the request touches something that its holder does not own. */
  readonly isOwn: boolean;
  /** Target affected as a whole; null if none. Default null. */
  readonly actsOn?: ActsOn | null;
  /** Slippage of closing and take-profit orders. Left out if the request has none. */
  readonly closingSlippage?: DecimalString | undefined;
  /** Slippage of later opening orders of the gateway itself, such as rebalances. Left out if there are none. */
  readonly laterSlippage?: DecimalString | undefined;
  /** True: closes legs of both sides. Default false. */
  readonly closesHedge?: boolean;
  /** True: takes margin out of a position. Default false. */
  readonly takesMargin?: boolean;
  readonly opensPosition: boolean;
  /** Number of pending orders that the request makes; 0: it trades now. */
  readonly rests: number;
  /** Highest leverage of the opened legs, as asked from the venue. Default: known without asking the venue. */
  readonly leverage?: number;
  /** Terms of the waiting order that the request changes, before the change. Default null: it changes none. */
  readonly changes?: JsonValue;
  /** null: no new request, but an accepted order that continues. */
  readonly request: AskedRequest | null;
  readonly isRequest: boolean;
  readonly without?: Without | undefined;
}

/** What somebody with a mandate asks for, as the warden judges it. */
import type { DecimalString } from '../../domain/decimal.ts';
import type { MandateKind } from '../../domain/mandate.ts';
import type { MandateAsk } from '../../domain/mandate-judgement.ts';
import type { Position, TradeAccount, TradeLeg } from '../../domain/model.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';
import type { Without } from './mandate-usage.ts';

/** Legs that are to be traded within one slippage, at once or later. */
export interface AskedTrade {
  readonly legs: readonly TradeLeg[];
  readonly totalUsd: DecimalString | null;
  readonly slippage: DecimalString;
}

/** What something acts on as a whole, whoever owns it: a position, or all that the account holds of an instrument. */
export type ActsOn = { readonly position: Position } | { readonly symbol: string };

/** What somebody with a mandate asks for. */
export interface Asked {
  readonly account: TradeAccount;
  readonly kind: MandateKind;
  readonly effect: MandateAsk['effect'];
  readonly trades: readonly AskedTrade[];
  /** What takes out of the position beside them: shown to a person, and counted nowhere. Default nothing. */
  readonly takesOut?: AskedTrade | undefined;
  /** Kinds of what it brings along: brackets and rebalancing of the position. Default none. */
  readonly brings?: readonly MandateKind[];
  /** Protection that is lost by it, in words; left out where it is none. */
  readonly loosens?: readonly string[] | undefined;
  /** false: it touches what is not its own. */
  readonly isOwn: boolean;
  /** What it acts on as a whole; null: nothing. Default null. */
  readonly actsOn?: ActsOn | null;
  /** Slippage of what closes or takes profit. Default nothing does. */
  readonly closingSlippage?: DecimalString | undefined;
  /** Slippage of what it has the gateway open later by itself, as rebalances do. Default nothing does. */
  readonly laterSlippage?: DecimalString | undefined;
  /** It closes legs of both sides. Default false. */
  readonly closesHedge?: boolean;
  /** It takes margin out of a position. Default false. */
  readonly takesMargin?: boolean;
  readonly opensPosition: boolean;
  /** Orders that wait; 0: it trades now. */
  readonly rests: number;
  /** Highest at which the venue margins what it opens, where the venue was asked. Default: what is known without asking. */
  readonly leverage?: number;
  /** null: nobody asks now; what was accepted goes on. */
  readonly request: AskedRequest | null;
  readonly isRequest: boolean;
  readonly without?: Without | undefined;
}

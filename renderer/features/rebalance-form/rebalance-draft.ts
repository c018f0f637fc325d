/** A position's automatic rebalance, as typed and as sent. */
import type { ClosingFailure } from '../leg-failure/leg-failure.ts';
import { fractionOf } from '../percent/percent.ts';

export interface RebalanceDraft {
  readonly mode: 'TARGET_WEIGHTS' | 'LIVE_BETA';
  readonly action: 'NOTIFY' | 'TRADE';
  /** Drift that starts a rebalance, percent. */
  readonly minimumDrift: string;
  readonly timeframe: '1h' | '4h' | '1d';
  /** Shortest time between two rebalances, minutes. */
  readonly cooldown: string;
  /** Largest trade per rebalance, USD; empty: no limit. */
  readonly maxTradeUsd: string;
  readonly onLegFailure: ClosingFailure;
}

export const NEW_REBALANCE: RebalanceDraft = {
  mode: 'TARGET_WEIGHTS',
  action: 'TRADE',
  minimumDrift: '5',
  timeframe: '1h',
  cooldown: '60',
  maxTradeUsd: '',
  onLegFailure: 'RETRY',
};

/** Target weights and largest trade, common to automatic and single rebalances. */
export function rebalanceTarget({
  mode,
  timeframe,
  maxTradeUsd,
}: Pick<RebalanceDraft, 'mode' | 'timeframe' | 'maxTradeUsd'>) {
  const most = maxTradeUsd.trim();
  return {
    mode,
    ...(mode === 'LIVE_BETA' ? { timeframe } : {}),
    ...(most === '' ? {} : { maxTradeUsd: most }),
  };
}

/** Body of the automatic rebalance; NaN for text that is not a number, which the contract's schema refuses. */
export function autoRebalanceBody(draft: RebalanceDraft) {
  const minutes = /^\s*\d{1,9}\s*$/.test(draft.cooldown) ? Number(draft.cooldown) : Number.NaN;
  return {
    ...rebalanceTarget(draft),
    action: draft.action,
    minimumDrift: fractionOf(draft.minimumDrift),
    cooldownSeconds: minutes * 60,
    onLegFailure: draft.onLegFailure,
  };
}

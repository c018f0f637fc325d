/** How the weights of a position are kept, as it is typed and as it is sent. */
import { fractionOf } from '../percent/percent.ts';

export interface RebalanceDraft {
  readonly mode: 'TARGET_WEIGHTS' | 'LIVE_BETA';
  readonly action: 'NOTIFY' | 'TRADE';
  /** Percent. */
  readonly minimumDrift: string;
  readonly timeframe: '1h' | '4h' | '1d';
  /** Minutes. */
  readonly cooldown: string;
  /** USD; empty: no limit. */
  readonly maxTradeUsd: string;
}

export const NEW_REBALANCE: RebalanceDraft = {
  mode: 'TARGET_WEIGHTS',
  action: 'TRADE',
  minimumDrift: '5',
  timeframe: '1h',
  cooldown: '60',
  maxTradeUsd: '',
};

/** What is brought back to its weights, and how much of it at the most: standing or once. */
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

/** The standing rebalance; NaN where no number is typed, which the contract's schema refuses. */
export function autoRebalanceBody(draft: RebalanceDraft) {
  const minutes = /^\s*\d{1,9}\s*$/.test(draft.cooldown) ? Number(draft.cooldown) : Number.NaN;
  return {
    ...rebalanceTarget(draft),
    action: draft.action,
    minimumDrift: fractionOf(draft.minimumDrift),
    cooldownSeconds: minutes * 60,
  };
}

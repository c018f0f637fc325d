/** How a position is to be closed, as it is being typed, and the request that it becomes. */
import type { Request } from '../../../gateway/client/client.ts';

export type CloseBody = NonNullable<Request<'POST /positions/{id}/close'>['body']>;
export type CloseType = CloseBody['type'];

/** Percent as typed → fraction as the gateway takes it, exactly: the digits move by two places. null: no such number. */
export function fractionOfPercent(percent: string): string | null {
  const match = /^(\d{1,3})(?:\.(\d{0,16}))?$/.exec(percent.trim());
  if (match === null) return null;
  const [, whole = '', decimals = ''] = match;
  const digits = `${whole.padStart(3, '0')}${decimals}`;
  const fraction = `${digits.slice(0, -2 - decimals.length)}.${digits.slice(-2 - decimals.length)}`;
  const tidy = fraction.replace(/^0+(?=\d)/, '').replace(/\.?0+$/, '');
  return tidy === '' ? '0' : tidy;
}

/** "0.25" → "25", exactly. */
export function percentOfFraction(fraction: string): string {
  const [whole = '0', decimals = ''] = fraction.split('.');
  const padded = decimals.padEnd(2, '0');
  const percent = `${whole}${padded.slice(0, 2)}.${padded.slice(2)}`.replace(/^0+(?=\d)/, '');
  return percent.includes('.') ? percent.replace(/\.?0+$/, '') : percent;
}

/** Slippage in percent → fraction; an empty field leaves the gateway's own. */
function slippageOf(percent: string): { slippage?: string } {
  if (percent.trim() === '') return {};
  return { slippage: fractionOfPercent(percent) ?? percent };
}

export interface CloseDraft {
  readonly type: CloseType;
  /** Percent of the position. */
  readonly share: string;
  /** Percent; empty: the gateway's default. */
  readonly slippage: string;
}

export const CLOSE_ALL_OF_IT: CloseDraft = { type: 'MARKET', share: '100', slippage: '' };

/** What every kind of close has in common. What is no percent is passed on as typed, for the contract to refuse. */
export function closeCommon(draft: CloseDraft) {
  return { fraction: fractionOfPercent(draft.share) ?? draft.share, ...slippageOf(draft.slippage) };
}

export interface AdjustDraft {
  readonly intent: 'INCREASE' | 'REDUCE';
  readonly by: 'usd' | 'fraction' | 'targets';
  readonly usd: string;
  /** Percent of every leg. */
  readonly share: string;
  /** Instrument → absolute quantity as typed; empty: the leg stays. */
  readonly targets: Readonly<Record<string, string>>;
  readonly slippage: string;
  readonly onLegFailure: 'KEEP' | 'UNWIND' | 'RETRY';
}

export const NO_ADJUSTMENT: AdjustDraft = {
  intent: 'INCREASE',
  by: 'usd',
  usd: '',
  share: '',
  targets: {},
  slippage: '',
  onLegFailure: 'KEEP',
};

export type AdjustBody = Request<'POST /positions/{id}/adjust'>['body'];

export function adjustBody(draft: AdjustDraft): AdjustBody {
  const { intent, onLegFailure } = draft;
  const rest = { intent, onLegFailure, ...slippageOf(draft.slippage) };
  if (draft.by === 'usd') return { ...rest, usd: draft.usd.trim() };
  if (draft.by === 'fraction') return { ...rest, fraction: fractionOfPercent(draft.share) ?? draft.share };
  const targets = Object.entries(draft.targets)
    .map(([symbol, quantity]) => ({ symbol, quantity: quantity.trim() }))
    .filter(({ quantity }) => quantity !== '');
  return { ...rest, targets };
}

/** Typed draft of a close, and the resulting request. */
import type { Request } from '../../../gateway/client/client.ts';
import type { ClosingFailure } from '../../features/leg-failure/leg-failure.ts';
import { fractionOf, slippageInput } from '../../features/percent/percent.ts';

export type CloseBody = NonNullable<Request<'POST /positions/{id}/close'>['body']>;
export type CloseType = CloseBody['type'];

export interface CloseDraft {
  readonly type: CloseType;
  /** Share to close, percent of the position. */
  readonly share: string;
  /** Slippage in percent; empty: the gateway's default. */
  readonly slippage: string;
  readonly onLegFailure: ClosingFailure;
}

export const CLOSE_ALL_OF_IT: CloseDraft = {
  type: 'MARKET',
  share: '100',
  slippage: '',
  onLegFailure: 'RETRY',
};

/** Fields common to every kind of close. Text that is not a percentage is passed on, for the contract to refuse. */
export function closeCommon(draft: CloseDraft) {
  return { fraction: fractionOf(draft.share), ...slippageInput(draft.slippage) };
}

export interface AdjustDraft {
  readonly intent: 'INCREASE' | 'REDUCE';
  readonly by: 'usd' | 'fraction' | 'targets';
  readonly usd: string;
  /** Share to trade, percent of every leg. */
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

/** Body of a preview, without fields that only the order needs. */
export function adjustment(draft: AdjustDraft): Request<'POST /positions/{id}/adjust/plan'>['body'] {
  const { onLegFailure: _, ...asked } = adjustBody(draft);
  return asked;
}

/** Policy for a failed leg; a reduction has no UNWIND. */
export function adjustFailure({ intent, onLegFailure }: AdjustDraft): AdjustDraft['onLegFailure'] {
  return intent === 'REDUCE' && onLegFailure === 'UNWIND' ? 'RETRY' : onLegFailure;
}

export function adjustBody(draft: AdjustDraft): AdjustBody {
  const rest = { intent: draft.intent, onLegFailure: adjustFailure(draft), ...slippageInput(draft.slippage) };
  if (draft.by === 'usd') return { ...rest, usd: draft.usd.trim() };
  if (draft.by === 'fraction') return { ...rest, fraction: fractionOf(draft.share) };
  const targets = Object.entries(draft.targets)
    .map(([symbol, quantity]) => ({ symbol, quantity: quantity.trim() }))
    .filter(({ quantity }) => quantity !== '');
  return { ...rest, targets };
}

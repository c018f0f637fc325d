/** A trigger that waits, as it is being changed, and what of it has to be sent. */
import type { Request } from '../../../gateway/client/client.ts';
import {
  type BracketDrafts,
  bracketDraftsOf,
  bracketsChange,
} from '../../features/brackets-form/bracket-draft.ts';
import type { Trigger } from './order-states.ts';

export type TriggerChange = NonNullable<Request<'PATCH /triggers/{id}'>['body']>;

export interface TriggerDraft extends BracketDrafts {
  readonly level: string;
  /** ISO 8601; '': never. */
  readonly expiresAt: string;
  readonly allowImmediate: boolean;
}

export function triggerDraftOf({ condition, expiresAt, takeProfit, stopLoss }: Trigger): TriggerDraft {
  return {
    level: condition?.value ?? '',
    expiresAt: expiresAt ?? '',
    allowImmediate: false,
    ...bracketDraftsOf({ takeProfit, stopLoss }),
  };
}

/** Take-profits and stop-losses are changed with their position, the level of a rung with nothing. */
export const hasLevel = ({ condition, ladderId }: Trigger) => condition !== null && ladderId === null;

/** Only what opens a position can bring brackets along. */
export const hasBrackets = ({ kind }: Trigger) => kind === 'OPEN';

export const isChangeable = ({ status, bracketType }: Pick<Trigger, 'status' | 'bracketType'>) =>
  bracketType === null && (status === 'ACTIVE' || status === 'PAUSED');

/** Only what differs from what stood when it was opened; null: nothing does. */
export function triggerChange(standing: Trigger, draft: TriggerDraft): TriggerChange | null {
  const level = draft.level.trim();
  const change = {
    ...(hasLevel(standing) && level !== standing.condition?.value ? { condition: { value: level } } : {}),
    ...(draft.expiresAt === (standing.expiresAt ?? '') ? {} : { expiresAt: draft.expiresAt || null }),
    ...(hasBrackets(standing) ? bracketsChange(standing, draft) : {}),
  };
  if (Object.keys(change).length === 0) return null;
  return { ...change, allowImmediate: draft.allowImmediate };
}

/** Draft of changes to a resting trigger, and the body to be sent. */
import type { Request, Row } from '../../../gateway/client/client.ts';
import { type BracketDrafts, bracketDraftsOf, bracketsChange } from '../brackets-form/bracket-draft.ts';

export type Trigger = Row<'GET /triggers'>;
export type TriggerChange = NonNullable<Request<'PATCH /triggers/{id}'>['body']>;

export interface TriggerDraft extends BracketDrafts {
  readonly level: string;
  /** ISO 8601; '': the trigger does not expire. */
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

/** A take-profit or stop-loss is changed with its position, and the level of a rung cannot be changed. */
export const hasLevel = ({ condition, ladderId }: Trigger) => condition !== null && ladderId === null;

/** Only opening triggers can carry brackets. */
export const hasBrackets = ({ kind }: Trigger) => kind === 'OPEN';

export const isChangeable = ({ status, bracketType }: Pick<Trigger, 'status' | 'bracketType'>) =>
  bracketType === null && (status === 'ACTIVE' || status === 'PAUSED');

/** Only the values that differ from those when the form was opened; null: none differs. */
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

/** The form for a new API key: its typed draft and the body for the gateway. */
import type { z } from 'zod';
import type { createApiKeyRoute } from '../../../gateway/contract/api-keys.ts';

export const LIVES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'date', label: 'Until a date' },
  { value: 'never', label: 'Never' },
] as const;

export interface KeyDraft {
  readonly label: string;
  readonly scope: 'read' | 'read_write';
  readonly life: (typeof LIVES)[number]['value'];
  /** `2026-05-01`, for the life `date`: the key is valid until the end of that day in the reader's zone. */
  readonly date: string;
  readonly onlySome: boolean;
  readonly tradeAccountIds: readonly string[];
}

export const NEW_KEY: KeyDraft = {
  label: '',
  scope: 'read',
  life: '90',
  date: '',
  onlySome: false,
  tradeAccountIds: [],
};

const DAY_MS = 86_400_000;

/** ISO 8601; null: the key does not expire. Text that is not a date is passed on, for the schema to refuse. */
function expiresAt({ life, date }: KeyDraft, now: number): string | null {
  if (life === 'never') return null;
  if (life !== 'date') return new Date(now + Number(life) * DAY_MS).toISOString();
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? date : end.toISOString();
}

export function keyBody(draft: KeyDraft, now: number): z.input<(typeof createApiKeyRoute)['body']> {
  return {
    label: draft.label,
    scope: draft.scope,
    expiresAt: expiresAt(draft, now),
    tradeAccountIds: draft.onlySome ? [...draft.tradeAccountIds] : null,
  };
}

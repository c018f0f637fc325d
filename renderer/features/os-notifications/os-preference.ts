/**
 * Categories of notifications that this browser shows outside its page. Kept in `localStorage`: the choice belongs to
 * the machine, not to the user.
 */
import { z } from 'zod';
import { createStore, useStore } from 'zustand';
import { notificationCategory } from '../../../gateway/contract/notifications.ts';

export type Category = z.infer<typeof notificationCategory>;

const STORAGE_KEY = 'tandem.os-notifications';
export const EVERY_CATEGORY: readonly Category[] = notificationCategory.options;

/** Default categories: failures, and positions that were closed or opened unattended. */
const AT_FIRST: readonly Category[] = EVERY_CATEGORY.filter(
  (category) =>
    category.endsWith('_FAILED') ||
    category.endsWith('_HIT') ||
    [
      'TRIGGER_EXECUTED',
      'LEG_IMBALANCE',
      'POSITION_LIQUIDATED',
      'CONNECTOR_DEGRADED',
      'VENUE_HISTORY_LOST',
    ].includes(category),
);

export interface OsPreference {
  /** Switch for all categories; off at first, because the browser then asks its user for permission. */
  readonly isOn: boolean;
  readonly categories: readonly Category[];
}

const schema = z.object({
  isOn: z.boolean().catch(false),
  /** Categories that this version does not know are dropped. */
  categories: z
    .array(z.string())
    .transform((names) => EVERY_CATEGORY.filter((category) => names.includes(category)))
    .catch([...AT_FIRST]),
});

/** @param text the stored preference; null or unreadable text gives the defaults */
export function readOsPreference(text: string | null): OsPreference {
  let kept: unknown = {};
  try {
    kept = JSON.parse(text ?? '{}');
  } catch {
    // Text that is not JSON: the defaults stand.
  }
  return schema.parse(typeof kept === 'object' && kept !== null ? kept : {});
}

function keptText(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

const store = createStore<OsPreference>(() => readOsPreference(keptText()));

export function useOsPreference(): OsPreference {
  return useStore(store);
}

export function osPreferenceNow(): OsPreference {
  return store.getState();
}

export function setOsPreference(patch: Partial<OsPreference>): void {
  store.setState(patch);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(store.getState()));
  } catch {
    // Without storage the preference holds until the page is closed.
  }
}

export function withCategory(
  { categories }: OsPreference,
  category: Category,
  isWanted: boolean,
): readonly Category[] {
  return EVERY_CATEGORY.filter((one) => (one === category ? isWanted : categories.includes(one)));
}

/** Applies changes made in another tab. @returns a function that stops following */
export function followOsPreference(): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === STORAGE_KEY) store.setState(readOsPreference(event.newValue), true);
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

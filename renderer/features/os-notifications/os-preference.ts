/** Categories of notifications that this browser shows outside its page. */
import { z } from 'zod';
import { notificationCategory } from '../../../gateway/contract/notifications.ts';
import { lenient, readKept } from '../../api/kept-choice.ts';
import type { Category } from '../notification-text/notification-text.ts';

export const EVERY_CATEGORY: readonly Category[] = notificationCategory.options;

/** Default categories: failures, what waits for the user, and positions closed or opened without the user. */
const AT_FIRST: readonly Category[] = EVERY_CATEGORY.filter(
  (category) =>
    category.endsWith('_FAILED') ||
    category.endsWith('_HIT') ||
    [
      'APPROVAL_NEEDED',
      'EXTERNAL_CLOSE',
      'PANIC_INCOMPLETE',
      'TRIGGER_EXECUTED',
      'LEG_IMBALANCE',
      'LIQUIDATION_NEAR',
      'POSITION_LIQUIDATED',
      'CONNECTOR_DEGRADED',
      'VENUE_HISTORY_LOST',
      'ORDER_NEEDS_REVIEW',
      'CREDENTIALS_REFUSED',
      'CREDENTIALS_EXPIRING',
      'INSTRUMENT_RESTRICTED',
      'AGENT_SUSPENDED',
      'AGENT_LIMIT',
    ].includes(category),
);

const preference = lenient({
  /** Switch for all categories; off at first, because the browser then asks its user for permission. */
  isOn: z.boolean().catch(false),
  /** Categories that this version does not know are dropped. */
  categories: z
    .array(z.string())
    .transform((names) => EVERY_CATEGORY.filter((category) => names.includes(category)))
    .catch([...AT_FIRST]),
});
type OsPreference = z.infer<typeof preference>;

/** @param text the stored preference; null or unreadable text gives the defaults */
export const readOsPreference = (text: string | null): OsPreference => readKept(preference, text);

export function withCategory(
  { categories }: { readonly categories: readonly Category[] },
  category: Category,
  isWanted: boolean,
): Category[] {
  return EVERY_CATEGORY.filter((one) => (one === category ? isWanted : categories.includes(one)));
}

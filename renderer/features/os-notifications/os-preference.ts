/** Categories of notifications that this browser shows outside its page. */
import { z } from 'zod';
import { notificationCategory } from '../../../gateway/contract/notifications.ts';
import { lenient, readKept } from '../../api/kept-choice.ts';
import type { Category } from '../notification-text/notification-text.ts';

export const EVERY_CATEGORY: readonly Category[] = notificationCategory.options;

/** Default categories: failures, requests to the user, and positions closed or opened without the user. */
const AT_FIRST: readonly Category[] = EVERY_CATEGORY.filter(
  (category) =>
    category.endsWith('_FAILED') ||
    category.endsWith('_HIT') ||
    [
      'APPROVAL_NEEDED',
      'PROTECTION_LOOSENED',
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
      'ACCOUNT_MODE_CHANGED',
      'OTHER_PROGRAM_TRADES',
      'DISK_SPACE',
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
  /** Categories that existed at the time of the choice; newer ones use their defaults. */
  chosenAmong: z.array(z.string()).catch([]),
});
type OsPreference = z.infer<typeof preference>;

/** Categories added before `chosenAmong` existed: older choices say nothing about them, so they use their defaults. */
const NEWER = [
  'ALERT_HIT',
  'LIQUIDATION_NEAR',
  'INSTRUMENT_RESTRICTED',
  'AGENT_SUSPENDED',
  'AGENT_LIMIT',
  'PROTECTION_LOOSENED',
];

/** @param text the stored preference; null or unreadable text gives the defaults */
export function readOsPreference(text: string | null): OsPreference {
  const { isOn, categories, chosenAmong } = readKept(preference, text);
  const isNew = (category: Category) =>
    chosenAmong.length === 0 ? NEWER.includes(category) : !chosenAmong.includes(category);
  return {
    isOn,
    categories: EVERY_CATEGORY.filter(
      (one) => categories.includes(one) || (isNew(one) && AT_FIRST.includes(one)),
    ),
    chosenAmong: [...EVERY_CATEGORY],
  };
}

export function withCategory(
  { categories }: { readonly categories: readonly Category[] },
  category: Category,
  isWanted: boolean,
): Category[] {
  return EVERY_CATEGORY.filter((one) => (one === category ? isWanted : categories.includes(one)));
}

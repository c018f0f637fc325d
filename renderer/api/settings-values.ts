/** Settings and their parsing, without the page, so that every module can use them. */
import { z } from 'zod';
import { lenient, readKept } from './kept-choice.ts';

const settings = lenient({
  theme: z.enum(['dark', 'light', 'system']).catch('dark'),
  density: z.enum(['compact', 'comfortable']).catch('compact'),
  zone: z.enum(['utc', 'local']).catch('local'),
  /** A BCP 47 name; `auto`: the browser's locale. */
  locale: z.string().refine(isLocale).catch('auto'),
  /** Actions that ask for a confirmation: sending an order, closing a position, cancelling. */
  confirm: lenient({
    orders: z.boolean().catch(true),
    closing: z.boolean().catch(true),
    cancelling: z.boolean().catch(false),
  }),
  /** The dashboard sends no order above these limits; programs are not bound by them. null: no limit. */
  limits: lenient({
    /** Gross notional in US dollars, a decimal string. */
    largestOrderUsd: z
      .string()
      .regex(/^\d{1,20}(\.\d{1,18})?$/)
      .nullable()
      .catch(null),
    highestLeverage: z.int().min(1).nullable().catch(null),
  }),
});
export type Settings = Readonly<z.infer<typeof settings>>;

/** Settings that are not understood are ignored. */
export const parseSettings = (text: string | null): Settings => readKept(settings, text);

function isLocale(value: string): boolean {
  if (value === 'auto') return true;
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

/** Locale for `Intl`; undefined, for `auto`: the browser's own. */
export function localeOf({ locale }: Pick<Settings, 'locale'>): string | undefined {
  return locale === 'auto' ? undefined : locale;
}

/** Settings and their parsing, without the page, so that every module can use them. */

export interface Settings {
  readonly theme: 'dark' | 'light' | 'system';
  readonly density: 'compact' | 'comfortable';
  readonly zone: 'utc' | 'local';
  /** A BCP 47 name; `auto`: the browser's locale. */
  readonly locale: string;
  /** Actions that ask for a confirmation: sending an order, closing a position, cancelling. */
  readonly confirm: { readonly orders: boolean; readonly closing: boolean; readonly cancelling: boolean };
  /** The dashboard sends no order above these limits; programs are not bound by them. null: no limit. */
  readonly limits: {
    /** Gross notional in US dollars, a decimal string. */
    readonly largestOrderUsd: string | null;
    readonly highestLeverage: number | null;
  };
}

export const DEFAULT_SETTINGS: Settings = {
  theme: 'dark',
  density: 'compact',
  zone: 'local',
  locale: 'auto',
  confirm: { orders: true, closing: true, cancelling: false },
  limits: { largestOrderUsd: null, highestLeverage: null },
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function oneOf<const T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.find((one) => one === value) ?? fallback;
}

/** Settings that are not understood are ignored: an older or newer page may have written them. */
export function parseSettings(text: string | null): Settings {
  let raw: unknown = null;
  try {
    raw = JSON.parse(text ?? 'null');
  } catch {
    // Text in the storage that is not JSON, so not written by this page.
  }
  const kept = isRecord(raw) ? raw : {};
  const confirm = isRecord(kept['confirm']) ? kept['confirm'] : {};
  const asked = (name: keyof Settings['confirm']) => {
    const value = confirm[name];
    return typeof value === 'boolean' ? value : DEFAULT_SETTINGS.confirm[name];
  };
  return {
    theme: oneOf(kept['theme'], ['dark', 'light', 'system'], DEFAULT_SETTINGS.theme),
    density: oneOf(kept['density'], ['compact', 'comfortable'], DEFAULT_SETTINGS.density),
    zone: oneOf(kept['zone'], ['utc', 'local'], DEFAULT_SETTINGS.zone),
    locale: isLocale(kept['locale']) ? kept['locale'] : DEFAULT_SETTINGS.locale,
    confirm: { orders: asked('orders'), closing: asked('closing'), cancelling: asked('cancelling') },
    limits: parseLimits(kept['limits']),
  };
}

function parseLimits(value: unknown): Settings['limits'] {
  const { largestOrderUsd: usd, highestLeverage: leverage } = isRecord(value)
    ? value
    : DEFAULT_SETTINGS.limits;
  return {
    largestOrderUsd: typeof usd === 'string' && /^\d{1,20}(\.\d{1,18})?$/.test(usd) ? usd : null,
    highestLeverage:
      typeof leverage === 'number' && Number.isInteger(leverage) && leverage >= 1 ? leverage : null,
  };
}

function isLocale(value: unknown): value is string {
  if (typeof value !== 'string') return false;
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

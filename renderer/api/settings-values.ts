/** What can be set, and how it is read back: without the page, so that it can be used everywhere. */

export interface Settings {
  readonly theme: 'dark' | 'light' | 'system';
  readonly density: 'compact' | 'comfortable';
  readonly zone: 'utc' | 'local';
  /** A BCP 47 name, or what the browser says. */
  readonly locale: string;
  /** Asked once more before an order is sent, a position closed, something cancelled. */
  readonly confirm: { readonly orders: boolean; readonly closing: boolean; readonly cancelling: boolean };
  /** Above these the dashboard does not send an order; programs are not bound by them. null: no limit of its own. */
  readonly limits: {
    /** Gross US dollars, a decimal string. */
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

/** What is not understood is as if it had not been written: an older or newer page may have written it. */
export function parseSettings(text: string | null): Settings {
  let raw: unknown = null;
  try {
    raw = JSON.parse(text ?? 'null');
  } catch {
    // Not ours.
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

/** What `auto` stands for: undefined is the browser's own. */
export function localeOf({ locale }: Pick<Settings, 'locale'>): string | undefined {
  return locale === 'auto' ? undefined : locale;
}

/** UTC days as words: the gateway counts in UTC days, independent of the displayed zone. */
import { useMemo } from 'react';
import { useSettings } from '../../api/settings.ts';
import { localeOf } from '../../api/settings-values.ts';

export interface DayText {
  /** `21 Nov 2026`, without line breaks. @param date `2026-11-21` */
  long(date: string): string;
  /** `Nov`. @param month `2026-11` */
  month(month: string): string;
}

export function useDayText(): DayText {
  const locale = useSettings(localeOf);
  return useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    const long = format({ year: 'numeric', month: 'short', day: 'numeric' });
    const month = format({ month: 'short' });
    return {
      long: (date) => long.format(Date.parse(date)).replaceAll(' ', '\u00a0'),
      month: (text) => month.format(Date.parse(`${text}-01`)),
    };
  }, [locale]);
}

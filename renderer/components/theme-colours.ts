/** Theme colours for canvas drawing, which cannot read CSS variables; updated when the theme changes. */
import { useMemo } from 'react';
import { shownTheme, useSettings } from '../api/settings.ts';

const NAMES = {
  surface: '--surface',
  quietText: '--text-2',
  line: '--line',
  grid: '--grid',
  accent: '--accent',
  profit: '--profit',
  loss: '--loss',
  warn: '--warn',
  series1: '--series-1',
  series2: '--series-2',
  series3: '--series-3',
  series4: '--series-4',
} as const;

export type ThemeColours = Readonly<Record<keyof typeof NAMES, string>>;

function readColours(theme: 'dark' | 'light'): ThemeColours {
  // The page's theme attribute may not be set yet, so colours are read from an element that has the new theme's
  // attribute.
  const probe = document.createElement('div');
  probe.dataset['theme'] = theme;
  probe.hidden = true;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const entries = Object.entries(NAMES).map(([name, variable]) => [
    name,
    style.getPropertyValue(variable).trim(),
  ]);
  probe.remove();
  return Object.fromEntries(entries) as ThemeColours;
}

export function useThemeColours(): ThemeColours {
  const theme = useSettings(shownTheme);
  return useMemo(() => readColours(theme), [theme]);
}

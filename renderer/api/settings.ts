/** Display settings of this browser. Kept in the browser, shared by its tabs; nothing secret is in them. */
import { create } from 'zustand';
import { parseSettings, type Settings } from './settings-values.ts';

const KEY = 'tandem.settings';

export const useSettings = create<Settings>(() => parseSettings(localStorage.getItem(KEY)));

export function changeSettings(change: Partial<Settings>): void {
  useSettings.setState(change);
  localStorage.setItem(KEY, JSON.stringify(useSettings.getState()));
}

const darkWanted = matchMedia('(prefers-color-scheme: dark)');

export function shownTheme({ theme }: Pick<Settings, 'theme'>): 'dark' | 'light' {
  if (theme !== 'system') return theme;
  return darkWanted.matches ? 'dark' : 'light';
}

function apply(settings: Settings): void {
  const { dataset } = document.documentElement;
  dataset['theme'] = shownTheme(settings);
  dataset['density'] = settings.density;
}

/** Puts theme and density on the page, also when they change here, in another tab or in the system. */
export function applySettings(): void {
  apply(useSettings.getState());
  useSettings.subscribe(apply);
  darkWanted.addEventListener('change', () => apply(useSettings.getState()));
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) useSettings.setState(parseSettings(newValue));
  });
}

/** Display settings of this browser. */
import { keptChoice } from './kept-choice.ts';
import { parseSettings, type Settings } from './settings-values.ts';

export const [useSettings, changeSettings] = keptChoice('tandem.settings', parseSettings);

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
}

/** Step of the first run; null: finished, or never begun. The step survives a reload, not the tab. */
import { create } from 'zustand';

export const STEPS = [
  { id: 'user', name: 'User' },
  { id: 'checks', name: 'Checks' },
  { id: 'basket', name: 'First basket' },
] as const;
type FirstRunStep = (typeof STEPS)[number]['id'];

const KEY = 'tandem.first-run';

export const useFirstRun = create<{ readonly step: FirstRunStep | null }>(() => ({
  step: STEPS.find(({ id }) => id === sessionStorage.getItem(KEY))?.id ?? null,
}));

export function goToStep(step: FirstRunStep | null): void {
  if (step === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, step);
  useFirstRun.setState({ step });
}

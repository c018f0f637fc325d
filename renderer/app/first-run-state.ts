/** How far the first run is; null: over, or never begun. It survives a reload, not the tab. */
import { create } from 'zustand';

export type FirstRunStep = 'user' | 'checks' | 'basket';

const KEY = 'tandem.first-run';
const STEPS: readonly FirstRunStep[] = ['user', 'checks', 'basket'];

export const useFirstRun = create<{ readonly step: FirstRunStep | null }>(() => ({
  step: STEPS.find((step) => step === sessionStorage.getItem(KEY)) ?? null,
}));

export function goToStep(step: FirstRunStep | null): void {
  if (step === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, step);
  useFirstRun.setState({ step });
}

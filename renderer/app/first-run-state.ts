/** Step of the first run; null: finished, or never begun. The step survives a reload, not the tab. */
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

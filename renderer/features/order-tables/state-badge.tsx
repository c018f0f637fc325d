/** The state of an order in a word, or "Settling" while a change is retried. */
import { Badge, type BadgeTone } from '../../components/badge.tsx';
import { useProgress } from '../resting-action/use-settling.ts';
import type { StateTone, StateWords } from './order-states.ts';

const TONES: Readonly<Record<StateTone, BadgeTone>> = {
  neutral: 'quiet',
  accent: 'accent',
  good: 'neutral',
  warning: 'warn',
  bad: 'danger',
};

export function StateBadge({ state, id }: { readonly state: StateWords; readonly id?: string }) {
  const settling = useProgress(id ?? '') === 'settling';
  if (settling) return <Badge tone="warn">Settling</Badge>;
  return <Badge tone={TONES[state.tone]}>{state.label}</Badge>;
}

/** The state of an order in a word, or "Settling" while a change is retried. */
import { Badge } from '../../components/badge.tsx';
import { useProgress } from '../resting-action/use-settling.ts';
import type { StateWords } from './order-states.ts';

export function StateBadge({ state, id }: { readonly state: StateWords; readonly id?: string }) {
  const settling = useProgress(id ?? '') === 'settling';
  if (settling) return <Badge tone="warn">Settling</Badge>;
  return <Badge tone={state.tone}>{state.label}</Badge>;
}

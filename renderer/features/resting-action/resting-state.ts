/** Possible actions on a resting order in its present state. */
export type RestingAction = 'pause' | 'resume' | 'cancel';

/** Actions on a trigger or a schedule in its present state. */
export function restingActions(status: string): readonly RestingAction[] {
  if (status === 'ACTIVE') return ['pause', 'cancel'];
  if (status === 'PAUSED') return ['resume', 'cancel'];
  return [];
}

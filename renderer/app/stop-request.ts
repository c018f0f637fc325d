/**
 * The requested stop action. The Stop menu and the commands request one; the menu's question opens.
 */
import { create } from 'zustand';
import { NothingToDo } from '../../gateway/client/client.ts';
import { gateway } from '../api/client.ts';
import { readAnew } from '../api/queries.ts';
import { say, sayError } from '../components/toast.tsx';

export type StopAction = 'cancel' | 'close' | 'agents';

export const useStopRequest = create<{ readonly action: StopAction | null }>(() => ({ action: null }));

export function requestStop(action: StopAction | null): void {
  useStopRequest.setState({ action });
}

/** Pauses new orders, or accepts them again. A toast tells the result. */
export async function setPaused(paused: boolean): Promise<void> {
  try {
    await gateway.call(paused ? 'POST /safety/pause' : 'POST /safety/resume');
    say(paused ? 'New orders are paused' : 'New orders are accepted again', { kind: 'success' });
  } catch (error) {
    // Another tab has already changed the state.
    if (!(error instanceof NothingToDo)) sayError('Nothing changed', error);
  }
  await readAnew('GET /safety');
}

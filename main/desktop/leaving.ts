/** Questions before the window or the gateway with its trades is closed. Texts and choices as data. */
import type { WorkInHand } from '../../gateway/contract/shell-link.ts';

export interface Question {
  readonly type: 'question' | 'warning';
  readonly message: string;
  readonly detail: string;
  readonly buttons: string[];
  readonly defaultId: number;
  readonly cancelId: number;
}

export const CLOSE_QUESTION: Question = {
  type: 'question',
  message: 'Keep Tandem running when its window is closed?',
  detail:
    'In the tray it goes on watching your triggers, alerts, schedules and brackets. You can change this in the settings; you are asked only once.',
  buttons: ['Keep running', 'Quit', 'Cancel'],
  defaultId: 0,
  cancelId: 2,
};
export const CLOSE_ANSWERS = ['tray', 'quit', null] as const;

/** null: no execution, order, trigger or schedule is known to be open, so nobody has to be asked. */
export function quitQuestion(work: WorkInHand | null): Question | null {
  if (work === null) return null;
  const { executions, orders, waiting } = work;
  const parts = [
    ...(executions > 0 ? [`${counted(executions, 'execution')} still running`] : []),
    ...(orders > 0 ? [`${counted(orders, 'order')} working at a venue`] : []),
    ...(waiting > 0 ? [`${counted(waiting, 'trigger or schedule', 'triggers and schedules')} waiting`] : []),
  ];
  if (parts.length === 0) return null;
  return {
    type: 'warning',
    message: `Quit although there ${parts.length === 1 && /^1 /.test(parts[0] ?? '') ? 'is' : 'are'} ${parts.join(', ')}?`,
    detail:
      'While Tandem is not running nothing fires, no slice is sent and no stop-loss is watched. Running executions get ten seconds to end; what is left goes on after the next start.',
    buttons: ['Keep running', 'Quit anyway'],
    defaultId: 0,
    cancelId: 0,
  };
}
/** Index of the button that quits. */
export const QUIT_ANYWAY = 1;

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

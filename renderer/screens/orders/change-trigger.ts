/** Pause, resume and cancel of a trigger, one that is a rung of a ladder included. */
import type { TandemClient } from '../../../gateway/client/client.ts';
import type { RestingAction } from './order-states.ts';

export function changeTrigger(client: TandemClient, id: string, action: RestingAction): Promise<unknown> {
  const params = { id };
  switch (action) {
    case 'pause':
      return client.call('POST /triggers/{id}/pause', { params });
    case 'resume':
      return client.call('POST /triggers/{id}/resume', { params });
    case 'cancel':
      return client.call('POST /triggers/{id}/cancel', { params });
  }
}

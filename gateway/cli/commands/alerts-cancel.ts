import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'alerts cancel <id>',
  about: ['Cancels an alert: you are not told any more.'],
  what: 'alert',
  see: 'tandem alerts --all',
  done: 'Cancelled',
  rows: async (api) => read('GET /alerts', await api.call('GET /alerts', { query: { limit: EVERY } })).alerts,
  change: (api, id) => api.call('POST /alerts/{id}/cancel', { params: { id } }),
});

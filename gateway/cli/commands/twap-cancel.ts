import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'twap cancel <id>',
  about: [
    'Cancels what a TWAP has not sent. A slice that is under way ends as it will; what was traded stays.',
  ],
  what: 'TWAP',
  see: 'tandem twap --all',
  done: 'Cancelled',
  rows: async (api) =>
    read('GET /schedules', await api.call('GET /schedules', { query: { limit: EVERY } })).schedules,
  change: (api, id) => api.call('POST /schedules/{id}/cancel', { params: { id } }),
});

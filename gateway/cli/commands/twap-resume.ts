import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'twap resume <id>',
  about: ['Goes on with the slices of a paused TWAP that are left.'],
  what: 'TWAP',
  see: 'tandem twap --all',
  done: 'Resumed',
  rows: async (api) =>
    read('GET /schedules', await api.call('GET /schedules', { query: { limit: EVERY } })).schedules,
  change: (api, id) => api.call('POST /schedules/{id}/resume', { params: { id } }),
});

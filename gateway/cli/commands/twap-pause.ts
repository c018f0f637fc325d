import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'twap pause <id>',
  about: ['Sends no more slices of a TWAP until it is resumed.'],
  what: 'TWAP',
  see: 'tandem twap --all',
  done: 'Paused',
  rows: async (api) =>
    read('GET /schedules', await api.call('GET /schedules', { query: { limit: EVERY } })).schedules,
  change: (api, id) => api.call('POST /schedules/{id}/pause', { params: { id } }),
});

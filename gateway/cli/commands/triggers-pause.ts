import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'triggers pause <id>',
  about: ['Stops watching for a trigger until it is resumed.'],
  what: 'trigger',
  see: 'tandem triggers --all',
  done: 'Paused',
  rows: async (api) =>
    read('GET /triggers', await api.call('GET /triggers', { query: { limit: EVERY } })).triggers,
  change: (api, id) => api.call('POST /triggers/{id}/pause', { params: { id } }),
});

import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'triggers resume <id>',
  about: ['Watches for a paused trigger again.'],
  what: 'trigger',
  see: 'tandem triggers --all',
  done: 'Resumed',
  rows: async (api) =>
    read('GET /triggers', await api.call('GET /triggers', { query: { limit: EVERY } })).triggers,
  change: (api, id) => api.call('POST /triggers/{id}/resume', { params: { id } }),
});

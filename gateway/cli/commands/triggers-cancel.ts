import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'triggers cancel <id> | --all',
  about: ['Cancels a trigger, or all that wait: take-profits, stop-losses and rungs of ladders too.'],
  what: 'trigger',
  see: 'tandem triggers --all',
  done: 'Cancelled',
  rows: async (api) =>
    read('GET /triggers', await api.call('GET /triggers', { query: { limit: EVERY } })).triggers,
  change: (api, id) => api.call('POST /triggers/{id}/cancel', { params: { id } }),
  all: (api) => api.call('POST /triggers/cancel-all'),
});

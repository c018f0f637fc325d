import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'ladders cancel <id>',
  about: ['Cancels a ladder and all rungs that wait. What was traded stays.'],
  what: 'ladder',
  see: 'tandem ladders --all',
  done: 'Cancelled',
  rows: async (api) =>
    read('GET /ladders', await api.call('GET /ladders', { query: { limit: EVERY } })).ladders,
  change: (api, ladderId) => api.call('POST /ladders/{ladderId}/cancel', { params: { ladderId } }),
});

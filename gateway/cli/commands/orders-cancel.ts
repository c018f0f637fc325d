import { read } from '../answers.ts';
import { EVERY } from '../open-position.ts';
import { changeCommand } from '../resting.ts';

export const command = changeCommand({
  usage: 'orders cancel <id> | --all',
  about: ['Cancels what an order has not filled yet, or all orders that are open. What filled stays.'],
  what: 'order',
  see: 'tandem orders --open',
  done: 'Cancelled',
  rows: async (api) => read('GET /orders', await api.call('GET /orders', { query: { limit: EVERY } })).orders,
  change: (api, id) => api.call('POST /orders/{id}/cancel', { params: { id } }),
  all: (api) => api.call('POST /orders/cancel-all'),
});

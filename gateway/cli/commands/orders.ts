import { accountList, asTable } from '../account-list.ts';
import { type OrderAnswer, read } from '../answers.ts';
import { isOn } from '../command.ts';
import { shortId } from '../ids.ts';
import { price, quantity } from '../readable-numbers.ts';
import { second } from '../resting.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<OrderAnswer>[] = [
  { title: 'CREATED (UTC)', cell: (row) => second(row.createdAt) },
  { title: 'SYMBOL', cell: (row) => row.symbol },
  { title: 'SIDE', cell: (row) => row.side.toLowerCase() },
  { title: 'STATUS', cell: (row) => row.status },
  { title: 'FILLED', align: 'right', cell: (row) => quantity(row.filledQuantity) },
  { title: 'ORDERED', align: 'right', cell: (row) => quantity(row.quantity) },
  { title: 'AVG PRICE', align: 'right', cell: (row) => price(row.averagePrice) },
  { title: 'WORST ALLOWED', align: 'right', cell: (row) => price(row.limitPrice) },
  { title: 'EXECUTION', cell: (row) => shortId(row.executionId) },
  { title: 'ID', cell: (row) => shortId(row.id) },
  { title: 'PROBLEM', cell: (row) => row.errorCode || row.error || ' ' },
];

export const command = accountList<OrderAnswer>({
  usage: 'orders [--open]',
  about: ['Lists orders at the venue, newest first. `tandem orders cancel` takes the ID as shown.'],
  flags: [{ name: '--open', kind: 'switch', help: 'Only those that have not ended' }],
  async find(api, limit, context) {
    const status = isOn(context, '--open') ? { status: 'PENDING,PARTIAL' } : {};
    const answer = await api.call('GET /orders', { query: { limit, ...status } });
    const { orders, nextCursor } = read('GET /orders', answer);
    return { answer, rows: orders, nextCursor };
  },
  print: asTable(COLUMNS, 'No orders.'),
});

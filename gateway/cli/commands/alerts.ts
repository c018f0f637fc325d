import { ALL_FLAG, accountList, asTable, statusUnless } from '../account-list.ts';
import { type AlertAnswer, read } from '../answers.ts';
import { shortId } from '../ids.ts';
import { basketName } from '../open-position.ts';
import { price } from '../readable-numbers.ts';
import { second, waitsFor } from '../resting.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<AlertAnswer>[] = [
  { title: 'STATUS', cell: (row) => row.status },
  // Only a ratio is of a basket.
  { title: 'BASKET', cell: (row) => (row.condition.type.endsWith('RATIO') ? basketName(row) : '–') },
  { title: 'WHEN', cell: (row) => waitsFor({ condition: row.condition, bracket: null, bracketType: null }) },
  { title: 'LAST SEEN', align: 'right', cell: (row) => price(row.lastValue) },
  { title: 'TOLD (UTC)', cell: (row) => second(row.triggeredAt) ?? ' ' },
  { title: 'EXPIRES (UTC)', cell: (row) => second(row.expiresAt) ?? 'never' },
  { title: 'ID', cell: (row) => shortId(row.id) },
];

export const command = accountList<AlertAnswer>({
  usage: 'alerts [--all]',
  about: ['Lists the alerts that wait, newest first: conditions that are told of, and trade nothing.'],
  flags: [ALL_FLAG],
  async find(api, limit, context) {
    const query = statusUnless(context, '--all', 'ACTIVE,PAUSED', limit);
    const answer = await api.call('GET /alerts', { query });
    const { alerts, nextCursor } = read('GET /alerts', answer);
    return { answer, rows: alerts, nextCursor };
  },
  print: asTable(COLUMNS, 'Nothing waits.'),
});

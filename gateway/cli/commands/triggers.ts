import { ALL_FLAG, accountList, asTable, statusUnless } from '../account-list.ts';
import { read, type TriggerAnswer } from '../answers.ts';
import { shortId } from '../ids.ts';
import { basketName } from '../open-position.ts';
import { price } from '../readable-numbers.ts';
import { second, waitsFor } from '../resting.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<TriggerAnswer>[] = [
  { title: 'STATUS', cell: (row) => (row.pauseReason ? `${row.status} (${row.pauseReason})` : row.status) },
  { title: 'DOES', cell: (row) => (row.kind === 'OPEN' ? 'open' : 'close') },
  { title: 'BASKET', cell: basketName },
  { title: 'WHEN', cell: waitsFor },
  { title: 'LAST SEEN', align: 'right', cell: (row) => price(row.lastValue) },
  { title: 'EXPIRES (UTC)', cell: (row) => second(row.expiresAt) ?? 'never' },
  { title: 'ID', cell: (row) => shortId(row.id) },
  { title: 'PROBLEM', cell: (row) => row.error || ' ' },
];

export const command = accountList<TriggerAnswer>({
  usage: 'triggers [--all]',
  about: [
    'Lists the triggers that wait, newest first: baskets on a condition, take-profits, stop-losses and rungs of ladders.',
  ],
  flags: [ALL_FLAG],
  async find(api, limit, context) {
    const query = statusUnless(context, '--all', 'ACTIVE,PAUSED,TRIGGERED', limit);
    const answer = await api.call('GET /triggers', { query });
    const { triggers, nextCursor } = read('GET /triggers', answer);
    return { answer, rows: triggers, nextCursor };
  },
  print: asTable(COLUMNS, 'Nothing waits.'),
});

import { ALL_FLAG, accountList, asTable, statusUnless } from '../account-list.ts';
import { read, type ScheduleAnswer } from '../answers.ts';
import { printList } from '../command.ts';
import { shortId } from '../ids.ts';
import { basketName } from '../open-position.ts';
import { usd } from '../readable-numbers.ts';
import { second } from '../resting.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<ScheduleAnswer>[] = [
  { title: 'STATUS', cell: (row) => (row.pauseReason ? `${row.status} (${row.pauseReason})` : row.status) },
  { title: 'DOES', cell: (row) => (row.kind === 'OPEN' ? 'open' : 'close') },
  { title: 'BASKET', cell: basketName },
  { title: 'TOTAL USD', align: 'right', cell: (row) => usd(row.totalUsd) },
  { title: 'FILLED USD', align: 'right', cell: (row) => usd(row.filledUsd) },
  { title: 'SLICES', align: 'right', cell: (row) => `${row.slicesCompleted}/${row.sliceCount}` },
  { title: 'NEXT (UTC)', cell: (row) => second(row.nextSliceAt) },
  { title: 'ID', cell: (row) => shortId(row.id) },
  { title: 'PROBLEM', cell: (row) => row.error || ' ' },
];

export const command = accountList<ScheduleAnswer>({
  usage: 'twap [<id>] [--all]',
  about: ['Lists the TWAPs that run or are paused, newest first; with an id, one of them with its slices.'],
  flags: [ALL_FLAG],
  async find(api, limit, context) {
    const query = statusUnless(context, '--all', 'ACTIVE,PAUSED', limit);
    const answer = await api.call('GET /schedules', { query });
    const { schedules, nextCursor } = read('GET /schedules', answer);
    return { answer, rows: schedules, nextCursor };
  },
  print: asTable(COLUMNS, 'No TWAP runs.'),
  detail: {
    what: 'TWAP',
    see: 'tandem twap --all',
    every: async (api, limit) =>
      read('GET /schedules', await api.call('GET /schedules', { query: { limit } })).schedules,
    async show(api, id, context) {
      const answer = await api.call('GET /schedules/{id}', { params: { id } });
      const print = () => {
        const one = read('GET /schedules/{id}', answer);
        printList(context, [one], COLUMNS, '');
        context.terminal.out('');
        printList(
          context,
          one.slices,
          [
            { title: 'SLICE', align: 'right', cell: (slice) => slice.index + 1 },
            { title: 'DUE (UTC)', cell: (slice) => second(slice.scheduledAt) },
            { title: 'STATUS', cell: (slice) => slice.status },
            { title: 'FILLED USD', align: 'right', cell: (slice) => usd(slice.filledUsd) },
            { title: 'EXECUTION', cell: (slice) => (slice.executionId ? shortId(slice.executionId) : null) },
            { title: 'PROBLEM', cell: (slice) => slice.error || ' ' },
          ],
          'No slices.',
        );
      };
      return { answer, print };
    },
  },
});

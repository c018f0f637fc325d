import { ALL_FLAG, accountList, asTable } from '../account-list.ts';
import { type LadderAnswer, read } from '../answers.ts';
import { isOn, printList } from '../command.ts';
import type { GatewayApi } from '../gateway-api.ts';
import { shortId } from '../ids.ts';
import { basketName, EVERY } from '../open-position.ts';
import { price, usd } from '../readable-numbers.ts';
import { second } from '../resting.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<LadderAnswer>[] = [
  { title: 'STATUS', cell: (row) => row.status },
  { title: 'BASKET', cell: basketName },
  { title: 'TOTAL USD', align: 'right', cell: (row) => usd(row.totalUsd) },
  { title: 'WHAT', cell: (row) => row.symbol ?? (row.metric === 'PRICE_RATIO' ? 'ratio' : 'weighted') },
  {
    title: 'RANGE',
    cell: (row) => `${row.direction === 'MORE_THAN' ? '>' : '<'} ${price(row.start)} … ${price(row.end)}`,
  },
  { title: 'RUNGS', align: 'right', cell: (row) => `${row.filledLevels}/${row.levels}` },
  { title: 'EXPIRES (UTC)', cell: (row) => second(row.expiresAt) ?? 'never' },
  { title: 'ID', cell: (row) => shortId(row.id) },
];

/** @param filled missing in answers of earlier gateways */
function heldText(filled: LadderAnswer['filled'] | undefined = []): string {
  const legs = filled.filter(({ quantity }) => quantity !== '0');
  return legs.map(({ symbol, quantity }) => `${quantity} ${symbol}`).join(', ');
}

const everyLadder = async (api: GatewayApi) =>
  read('GET /ladders', await api.call('GET /ladders', { query: { limit: EVERY } }));

export const command = accountList<LadderAnswer>({
  usage: 'ladders [<id>] [--all]',
  about: ['Lists the ladders that wait, newest first; with an id, one of them with its rungs.'],
  flags: [ALL_FLAG],
  async find(api, limit, context) {
    const { ladders, nextCursor } = await everyLadder(api);
    // The route does not select by status.
    const rows = ladders
      .filter(({ status }) => status === 'ACTIVE' || isOn(context, '--all'))
      .slice(0, Number(limit));
    return { answer: { ladders: rows }, rows, nextCursor };
  },
  print: asTable(COLUMNS, 'No ladder waits.'),
  detail: {
    what: 'ladder',
    see: 'tandem ladders --all',
    every: async (api) => (await everyLadder(api)).ladders,
    async show(api, id, context) {
      const answer = await api.call('GET /ladders/{ladderId}', { params: { ladderId: id } });
      const print = () => {
        const one = read('GET /ladders/{ladderId}', answer);
        printList(context, [one], COLUMNS, '');
        context.terminal.out('');
        printList(
          context,
          one.rungs,
          [
            { title: 'RUNG', align: 'right', cell: (rung) => rung.index + 1 },
            { title: 'LEVEL', align: 'right', cell: (rung) => price(rung.level) },
            { title: 'USD', align: 'right', cell: (rung) => usd(rung.usd) },
            { title: 'STATUS', cell: (rung) => rung.status },
            { title: 'FILLED', cell: ({ filled }) => heldText(filled) },
          ],
          'No rungs.',
        );
      };
      return { answer, print };
    },
  },
});

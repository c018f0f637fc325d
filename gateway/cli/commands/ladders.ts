import { printAccountAnswer } from '../account-mark.ts';
import { type LadderAnswer, read } from '../answers.ts';
import {
  ACCOUNT_FLAG,
  CLIENT_FLAGS,
  type Command,
  type CommandContext,
  isOn,
  LIMIT_FLAG,
  limitOf,
  printList,
} from '../command.ts';
import { chooseById, shortId } from '../ids.ts';
import { basketName, EVERY } from '../open-position.ts';
import { type AccountAccess, accountApi } from '../reach-gateway.ts';
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

export const command: Command = {
  usage: 'ladders [<id>] [--all]',
  about: ['Lists the ladders that wait, newest first; with an id, one of them with its rungs.'],
  flags: [
    { name: '--all', kind: 'switch', help: 'Also those that have ended' },
    LIMIT_FLAG,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 1],
  async run(context) {
    const limit = limitOf(context);
    const access = await accountApi(context);
    const { api, account } = access;
    const wanted = context.flags.words[0];
    if (wanted !== undefined) return showOne(context, access, wanted);
    const answer = await api.call('GET /ladders', { query: { limit: EVERY } });
    const { ladders, ...page } = read('GET /ladders', answer);
    // The route does not select by status.
    const shown = ladders
      .filter(({ status }) => status === 'ACTIVE' || isOn(context, '--all'))
      .slice(0, Number(limit));
    printAccountAnswer(context, account, { ladders: shown }, () =>
      printList(context, shown, COLUMNS, 'No ladder waits.', page.nextCursor),
    );
    return 0;
  },
};

async function showOne(
  context: CommandContext,
  { api, account }: AccountAccess,
  wanted: string,
): Promise<number> {
  const all = await api.call('GET /ladders', { query: { limit: EVERY } });
  const { id } = chooseById(read('GET /ladders', all).ladders, wanted, 'ladder', 'tandem ladders --all');
  const answer = await api.call('GET /ladders/{ladderId}', { params: { ladderId: id } });
  printAccountAnswer(context, account, answer, () => {
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
      ],
      'No rungs.',
    );
  });
  return 0;
}

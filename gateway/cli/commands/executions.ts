import { printAccountAnswer } from '../account-mark.ts';
import { read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, LIMIT_FLAG, limitOf, printList } from '../command.ts';
import type { GatewayApi } from '../gateway-api.ts';
import { chooseById, shortId } from '../ids.ts';
import { EVERY } from '../open-position.ts';
import { printExecution } from '../print-execution.ts';
import { accountApi } from '../reach-gateway.ts';

const PART = /^[0-9a-f-]{4,36}$/i;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const command: Command = {
  usage: 'executions [<id>] [--limit <n>]',
  about: [
    'Lists executions, newest first; with an id or an end of it, one of them with its orders and why it failed.',
  ],
  flags: [LIMIT_FLAG, ACCOUNT_FLAG, ...CLIENT_FLAGS],
  words: [0, 1],
  async run(context) {
    const limit = limitOf(context);
    const { api, account } = await accountApi(context);
    const id = context.flags.words[0];
    if (id !== undefined) {
      const answer = await api.call('GET /executions/{id}', { params: { id: await idOf(api, id) } });
      printAccountAnswer(context, account, answer, () =>
        printExecution(context.terminal, read('GET /executions/{id}', answer).execution),
      );
      return 0;
    }
    const query = { limit, includeSchedule: true, includeTriggers: true };
    const answer = await api.call('GET /executions', { query });
    printAccountAnswer(context, account, answer, () => {
      const { executions, nextCursor } = read('GET /executions', answer);
      printList(
        context,
        executions,
        [
          { title: 'CREATED (UTC)', cell: (row) => row.createdAt.slice(0, 19).replace('T', ' ') },
          { title: 'INTENT', cell: (row) => row.intent },
          { title: 'STATUS', cell: (row) => row.status },
          {
            title: 'ORDERS',
            cell: (row) =>
              row.orders.map((order) => `${order.side === 'BUY' ? '+' : '-'}${order.symbol}`).join(' '),
          },
          { title: 'ID', cell: (row) => shortId(row.id) },
          { title: 'PROBLEM', cell: (row) => row.errorCode || row.error || ' ' },
        ],
        'No executions.',
        nextCursor,
      );
    });
    return 0;
  },
};

/** A whole id may be of any age; a part is looked for among the newest. */
async function idOf(api: GatewayApi, wanted: string): Promise<string> {
  if (UUID.test(wanted)) return wanted;
  if (!PART.test(wanted)) throw usage(`'${wanted}' is no id of an execution; see tandem executions`);
  const query = { limit: EVERY, includeSchedule: true, includeTriggers: true };
  const { executions } = read('GET /executions', await api.call('GET /executions', { query }));
  return chooseById(executions, wanted, 'execution', 'tandem executions').id;
}

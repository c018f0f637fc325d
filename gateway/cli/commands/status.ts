import type { Row } from '../../client/client.ts';
import { Refusal } from '../../client/errors.ts';
import type { Answer } from '../../client/route-types.ts';
import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { CliError } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, isOn, printJson } from '../command.ts';
import { folderHolder } from '../folder-holder.ts';
import { anonymousApi, dataDirFor } from '../reach-gateway.ts';
import { findApiKey } from '../saved-key.ts';
import { renderFields, renderTable } from '../table.ts';

export const command: Command = {
  usage: 'status',
  about: ['Says whether the gateway runs, and how its venues are.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const api = anonymousApi(context);
    const { mode = null, money = [] } = await api.call('GET /health');
    const { version } = read('GET /version', await api.call('GET /version'));
    const problems = await notReady(() => api.call('GET /ready'));
    const ready = problems.length === 0;
    const { connectors } = read('GET /connectors', await api.call('GET /connectors'));
    const dataDir = dataDirFor(context);
    // Known only if this data folder's gateway answered: the folder of another gateway is unknown.
    const holder = folderHolder(dataDir);
    const own = holder?.url === api.url ? holder : null;
    if (isOn(context, '--json')) {
      const pid = own?.pid ?? null;
      printJson(context.terminal, { url: api.url, version, ready, mode, money, pid, connectors });
      return ready ? 0 : 1;
    }
    const fields = renderFields([
      ['address', api.url],
      ['version', version],
      ['accounts', mode === 'MIXED' ? `MIXED (${money.join(', ')})` : mode],
      ['ready', ready ? 'yes' : `no: ${problems.join('; ')}`],
      ...(own === null ? [] : [['process', String(own.pid)] as const, ['data folder', dataDir] as const]),
      ['your key', keyOf(context.env, dataDir)],
    ]);
    for (const line of fields) context.terminal.out(line);
    context.terminal.out('');
    const table = renderTable(
      [
        { title: 'CONNECTOR', cell: (row) => row.id },
        { title: 'MODE', cell: moneyWord },
        { title: 'STATUS', cell: statusWords },
        { title: 'REASON', cell: (row) => row.reason ?? ' ' },
      ],
      connectors,
    );
    for (const line of table) context.terminal.out(line);
    return ready ? 0 : 1;
  },
};

const ORDERS: Readonly<Record<string, string>> = { CLOSE_ONLY: 'only closing orders', DOWN: 'no orders' };

/** With what it does not take, where its status does not say that; a gateway of an earlier version says nothing of it. */
function statusWords({ status, trading, until }: Partial<Row<'GET /connectors'>>): string {
  const word = status === 'DOWN' ? undefined : ORDERS[trading ?? ''];
  if (word === undefined) return status ?? ' ';
  return `${status}, ${word}${until == null ? '' : ` until ${until}`}`;
}

function keyOf(env: CommandContext['env'], dataDir: string): string {
  if (env['TANDEM_API_KEY']) return 'from TANDEM_API_KEY';
  return findApiKey(env, dataDir) === null ? 'none (tandem keys create --save)' : 'saved';
}

/** Failing checks that keep the gateway from being ready; empty when it is ready. */
async function notReady(ask: () => Promise<Answer<'GET /ready'>>): Promise<string[]> {
  try {
    const { ready, checks } = read('GET /ready', await ask());
    if (ready) return [];
    const failing = checks.filter((check) => !check.ok);
    return failing.map((check) => `${check.name}${check.detail ? ` (${check.detail})` : ''}`);
  } catch (error) {
    if (error instanceof CliError && error.cause instanceof Refusal) return [error.message];
    throw error;
  }
}

import { z } from 'zod';
import { connectorList, read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, isOn, printJson } from '../command.ts';
import { ApiError } from '../gateway-api.ts';
import { anonymousApi, dataDirFor } from '../reach-gateway.ts';
import { findApiKey } from '../saved-key.ts';
import { renderFields, renderTable } from '../table.ts';

const versionAnswer = z.looseObject({ version: z.string() });

export const command: Command = {
  usage: 'status',
  about: ['Says whether the gateway runs, and how its venues are.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const api = anonymousApi(context);
    await api.call('GET', '/health');
    const version = read(versionAnswer, await api.call('GET', '/version'), 'GET /version').version;
    const ready = await isReady(() => api.call('GET', '/ready'));
    const answer = await api.call('GET', '/connectors');
    if (isOn(context, '--json')) {
      printJson(context.terminal, {
        url: api.url,
        version,
        ready,
        connectors: read(connectorList, answer, 'GET /connectors').connectors,
      });
      return ready ? 0 : 1;
    }
    const { connectors } = read(connectorList, answer, 'GET /connectors');
    const fields = renderFields([
      ['address', api.url],
      ['version', version],
      ['ready', ready ? 'yes' : 'no'],
      ['data folder', dataDirFor(context)],
      [
        'your key',
        findApiKey(context.env, dataDirFor(context)) === null ? 'none (tandem keys create --save)' : 'saved',
      ],
    ]);
    for (const line of fields) context.terminal.out(line);
    context.terminal.out('');
    const table = renderTable(
      [
        { title: 'CONNECTOR', cell: (row) => row.id },
        { title: 'MODE', cell: (row) => row.mode },
        { title: 'STATUS', cell: (row) => row.status },
        { title: 'REASON', cell: (row) => row.reason ?? ' ' },
      ],
      connectors,
    );
    for (const line of table) context.terminal.out(line);
    return ready ? 0 : 1;
  },
};

async function isReady(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    const answer = await ask();
    return !(typeof answer === 'object' && answer !== null && 'ready' in answer && answer.ready === false);
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

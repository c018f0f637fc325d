import { read, tradeAccountList } from '../answers.ts';
import { CLIENT_FLAGS, type Command, isOn, printJson } from '../command.ts';
import { keyedApi } from '../reach-gateway.ts';
import { renderTable } from '../table.ts';

export const command: Command = {
  usage: 'accounts',
  about: ['Lists the trade accounts that your key reaches.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const answer = await keyedApi(context).call('GET', '/trade-accounts');
    if (isOn(context, '--json')) {
      printJson(context.terminal, answer);
      return 0;
    }
    const { tradeAccounts } = read(tradeAccountList, answer, 'GET /trade-accounts');
    if (tradeAccounts.length === 0) {
      context.terminal.out('No trade accounts.');
      return 0;
    }
    const lines = renderTable(
      [
        { title: 'ALIAS', cell: (row) => row.alias },
        { title: 'CONNECTOR', cell: (row) => row.connector },
        { title: 'MODE', cell: (row) => row.mode },
        { title: 'STATUS', cell: (row) => row.status },
        { title: 'ID', cell: (row) => row.id },
      ],
      tradeAccounts,
    );
    for (const line of lines) context.terminal.out(line);
    return 0;
  },
};

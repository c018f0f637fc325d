import { apiKeyList, read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, isOn, printJson } from '../command.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';
import { renderTable } from '../table.ts';

export const command: Command = {
  usage: 'keys list',
  about: ['Lists your API keys (you sign in for it: keys cannot list keys).'],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [0, 0],
  async run(context) {
    const answer = await withSession(context, false, ({ api }) => api.call('GET', '/api-keys'));
    if (isOn(context, '--json')) {
      printJson(context.terminal, answer);
      return 0;
    }
    const { apiKeys } = read(apiKeyList, answer, 'GET /api-keys');
    if (apiKeys.length === 0) {
      context.terminal.out('No API keys.');
      return 0;
    }
    const lines = renderTable(
      [
        { title: 'LABEL', cell: (row) => row.label },
        { title: 'SCOPE', cell: (row) => row.scope },
        { title: 'KEY', cell: (row) => `${row.keyPrefix}…` },
        { title: 'EXPIRES', cell: (row) => row.expiresAt ?? 'never' },
        { title: 'LAST USED', cell: (row) => row.lastUsedAt ?? 'never' },
        { title: 'ID', cell: (row) => row.id },
      ],
      apiKeys,
    );
    for (const line of lines) context.terminal.out(line);
    return 0;
  },
};

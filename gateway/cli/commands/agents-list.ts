import { readAgents, STATE_WORDS } from '../agent-answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer, printList } from '../command.ts';
import { shortId } from '../ids.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';

export const command: Command = {
  usage: 'agents list',
  about: [
    'Lists the connected agents, and the API keys with limits (you sign in for it). What one may do: tandem agents limits <name>.',
  ],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [0, 0],
  async run(context) {
    const { agents, house } = await withSession(context, false, ({ call }) => readAgents(call));
    printAnswer(context, { agents, house }, () =>
      printList(
        context,
        agents,
        [
          { title: 'NAME (unverified)', cell: (row) => row.name },
          { title: 'KIND', cell: (row) => (row.kind === 'api_key' ? 'key' : 'agent') },
          { title: 'STATE', cell: (row) => STATE_WORDS[row.state] },
          { title: 'COUNTED 24H', cell: (row) => row.usage?.openedUsd24h ?? '-' },
          { title: 'LAST SEEN', cell: (row) => row.lastSeenAt ?? 'never' },
          { title: 'ID', cell: (row) => shortId(row.id) },
        ],
        'No agent is connected.',
      ),
    );
    return 0;
  },
};

import { chooseAgent, readAgents } from '../agent-answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';

export const command: Command = {
  usage: 'agents resume <id|name>',
  about: ['Lets a paused agent or key go on within its limits.'],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const wanted = context.flags.words[0] ?? '';
    const resumed = await withSession(context, false, async ({ call }) => {
      const agent = chooseAgent((await readAgents(call)).agents, wanted);
      await call('POST /agents/{id}/resume', { params: { id: agent.id } });
      return agent;
    });
    printAnswer(context, { resumed: resumed.id }, () =>
      context.terminal.out(`Resumed '${resumed.name}' (${resumed.id}).`),
    );
    return 0;
  },
};

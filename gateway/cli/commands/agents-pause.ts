import { chooseAgent, readAgents } from '../agent-answers.ts';
import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';

export const command: Command = {
  usage: 'agents pause [<id|name>]',
  about: [
    'Stops one agent or key from opening anything, or all of them, until you resume it. Closing stays possible.',
  ],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [0, 1],
  async run(context) {
    const wanted = context.flags.words[0];
    const paused = await withSession(context, false, async ({ call }) => {
      if (wanted === undefined) {
        return read('POST /agents/pause-all', await call('POST /agents/pause-all')).suspended;
      }
      const { id } = chooseAgent((await readAgents(call)).agents, wanted);
      await call('POST /agents/{id}/suspend', { params: { id }, body: {} });
      return [id];
    });
    printAnswer(context, { paused }, () =>
      context.terminal.out(paused.length === 0 ? 'All were paused already.' : `Paused: ${paused.join(', ')}`),
    );
    return 0;
  },
};

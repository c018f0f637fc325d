import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command } from '../command.ts';
import { keyedApi } from '../reach-gateway.ts';
import { printSafety, unlessSoAlready } from '../safety-answer.ts';

export const command: Command = {
  usage: 'pause',
  about: [
    'From now on nothing opens on any of your accounts, whoever asks for it. Closing goes on, take-profits and stop-losses too.',
    '`tandem resume` ends it.',
  ],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const { call } = keyedApi(context);
    const answer = await unlessSoAlready(call, () => call('POST /safety/pause'));
    printSafety(context, read('POST /safety/pause', answer));
    return 0;
  },
};

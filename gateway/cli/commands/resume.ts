import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command } from '../command.ts';
import { keyedApi } from '../reach-gateway.ts';
import { printSafety, unlessSoAlready } from '../safety-answer.ts';

export const command: Command = {
  usage: 'resume',
  about: ['Ends a pause or a panic: new orders are taken again.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const { call } = keyedApi(context);
    const answer = await unlessSoAlready(call, () => call('POST /safety/resume'));
    printSafety(context, read('POST /safety/resume', answer));
    return 0;
  },
};

import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command } from '../command.ts';
import { keyedApi } from '../reach-gateway.ts';
import { printSafety } from '../safety-answer.ts';

export const command: Command = {
  usage: 'safety',
  about: ['Says whether trading is paused, and what a panic has left to close.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    printSafety(context, read('GET /safety', await keyedApi(context).call('GET /safety')));
    return 0;
  },
};

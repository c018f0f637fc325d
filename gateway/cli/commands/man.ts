import type { Command } from '../command.ts';
import { manualPage } from '../manual.ts';

export const command: Command = {
  usage: 'man',
  about: ['Prints the manual page of all commands: tandem man | man -l -'],
  flags: [],
  words: [0, 0],
  async run(context) {
    context.terminal.out(manualPage(await context.everyCommand(), context.version));
    return 0;
  },
};

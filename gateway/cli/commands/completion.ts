import { usage } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { completionScript, isShell, SHELLS } from '../completion.ts';

export const command: Command = {
  usage: `completion <${SHELLS.join('|')}>`,
  about: [
    'Prints the completion of commands, flags and their values for a shell.',
    "bash: echo 'source <(tandem completion bash)' >> ~/.bashrc",
    "zsh:  echo 'source <(tandem completion zsh)' >> ~/.zshrc   (after compinit)",
    'fish: tandem completion fish > ~/.config/fish/completions/tandem.fish',
  ],
  flags: [],
  words: [1, 1],
  async run(context) {
    const [shell = ''] = context.flags.words;
    if (!isShell(shell)) throw usage(`unknown shell '${shell}'; one of: ${SHELLS.join(', ')}`);
    context.terminal.out(completionScript(shell, await context.everyCommand()));
    return 0;
  },
};

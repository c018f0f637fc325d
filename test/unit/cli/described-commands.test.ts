/** Outputs of the command table: completion, tried in the shells themselves, and the manual, rendered by man. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { COMMANDS } from '../../../gateway/cli/command-table.ts';
import { tandem } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NAMES = COMMANDS.map(({ name }) => name);
/** Typed words, the last one unfinished → some of the words that are offered, and one that is not. */
const TYPED: readonly (readonly [string[], string[], string])[] = [
  [[''], ['open', 'triggers', 'keys', 'completion', '--help'], 'create'],
  [['pos'], ['positions'], 'open'],
  [['keys', ''], ['create', 'list', 'revoke'], 'open'],
  [['triggers', ''], ['open', 'cancel', '--all', '--json'], '--when'],
  [['triggers', 'open', '--w'], ['--when'], '--all'],
  [['open', '--mode', ''], ['usd', 'base', 'weight'], '--json'],
  [['positions', '--all', '--l'], ['--limit', '--legs'], '--when'],
];

type Complete = (script: string, typed: readonly string[]) => string;

function run(program: string, argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${status} ${stderr}`);
  return stdout;
}
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

const SHELLS: Readonly<Record<string, Complete>> = {
  bash: (script, typed) =>
    run('bash', [
      '--norc',
      '-c',
      `source ${script}; COMP_WORDS=(tandem ${quoted(typed)}); COMP_CWORD=${typed.length}; _tandem; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]),
  // The functions that zsh's completion system has inside of a widget only are told to print.
  zsh: (script, typed) =>
    run('zsh', [
      '-f',
      '-c',
      `compdef() {}; compadd() { shift; print -l -- "$@" }; _describe() { print -l -- "\${(@)\${(@P)2}%%:*}" }; source ${script}; words=(tandem ${quoted(typed)}); CURRENT=${typed.length + 1}; _tandem`,
    ]),
  fish: (script, typed) =>
    run('fish', ['--no-config', '-c', `source ${script}; complete -C "tandem ${typed.join(' ')}"`]),
};

describe('what is made of the command table', () => {
  for (const [shell, complete] of Object.entries(SHELLS)) {
    it(`completes in ${shell}`, async function () {
      if (spawnSync(shell, ['--version']).status !== 0) {
        console.error(`      ${shell} is not installed`);
        this.skip();
      }
      const script = join(await temporaryFolder(), 'tandem');
      const { code, out } = await tandem(['completion', shell]);
      expect(code).to.equal(0);
      await writeFile(script, `${out}\n`);
      for (const [typed, offered, other] of TYPED) {
        const last = typed.at(-1) ?? '';
        const words = complete(script, typed)
          .split('\n')
          .map((line) => line.split('\t')[0] ?? '')
          // zsh and fish choose among what they are offered themselves; fish offers flags once one is begun.
          .filter((word) => word.startsWith(last));
        const wanted = offered.filter(
          (word) => shell !== 'fish' || last.startsWith('-') || !word.startsWith('-'),
        );
        expect(words, `${shell}: ${typed.join(' ')}`).to.include.members(wanted);
        expect(words, `${shell}: ${typed.join(' ')}`).not.to.include(other);
      }
    });
  }

  it('knows no other shell', async () => {
    const end = await tandem(['completion', 'tcsh']);
    expect([end.code, end.err]).to.deep.equal([2, "tandem: unknown shell 'tcsh'; one of: bash, zsh, fish"]);
  });

  it('is a manual of every command and flag, which man renders without a complaint', async function () {
    const { code, out } = await tandem(['man']);
    expect(code).to.equal(0);
    const page = join(await temporaryFolder(), 'tandem.1');
    await writeFile(page, `${out}\n`);
    if (spawnSync('man', ['--version']).status !== 0) {
      console.error('      man is not installed');
      this.skip();
    }
    const env = { ...process.env, MANWIDTH: '200', LC_ALL: 'C.UTF-8' };
    const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-l', page], {
      encoding: 'utf8',
      env,
    });
    expect([status, stderr]).to.deep.equal([0, '']);
    const plain = stdout.replaceAll('‐', '-').replaceAll('−', '-');
    for (const name of NAMES) expect(plain).to.match(new RegExp(`^ +tandem ${name}$`, 'm'));
    for (const { load } of COMMANDS) {
      const { flags } = (await load()).command;
      for (const flag of flags.filter(({ hidden }) => hidden !== true)) expect(plain).to.contain(flag.name);
    }
  });
});

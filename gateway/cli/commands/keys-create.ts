import { hostname } from 'node:os';
import type { Request } from '../../client/route-types.ts';
import { read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, isOn, printAnswer } from '../command.ts';
import { dataDirFor } from '../reach-gateway.ts';
import { saveApiKey } from '../saved-key.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';

export const command: Command = {
  usage: 'keys create [--label <text>] [--scope read|read_write] [--expires <days>] [--save]',
  about: [
    'Makes an API key and prints it once. On a gateway without a user it makes the user first.',
    'With --save the key is also kept in cli.json of the data folder (mode 0600), where the other commands find it.',
  ],
  flags: [
    EMAIL_FLAG,
    {
      name: '--label',
      kind: 'text',
      fields: ['label'],
      value: '<text>',
      help: 'Name of the key, 1 to 64 characters (tandem on <host>)',
    },
    {
      name: '--scope',
      kind: 'text',
      fields: ['scope'],
      value: '<scope>',
      help: 'read or read_write (read_write)',
    },
    {
      name: '--expires',
      kind: 'text',
      fields: ['expiresAt'],
      value: '<days>',
      help: 'Days until it stops working (never)',
    },
    { name: '--save', kind: 'switch', help: 'Keep it for the other commands' },
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const body = keyBody(context);
    const { key, registered } = await withSession(context, true, async (session) => {
      const answer = await session.call('POST /api-keys', { body });
      return { key: read('POST /api-keys', answer), registered: session.registered };
    });
    const saved = isOn(context, '--save') ? await saveApiKey(dataDirFor(context), key.key) : null;
    printAnswer(context, key, () => {
      if (registered) context.terminal.err('Created the user of this gateway, with a funded paper account.');
      context.terminal.out(key.key);
      context.terminal.err(`Key '${key.label}' (${key.scope}). It is shown only this once.`);
      if (saved !== null) context.terminal.err(`Saved in ${saved}.`);
    });
    return 0;
  },
};

const DAY_MS = 86_400_000;

function keyBody(context: CommandContext): Request<'POST /api-keys'>['body'] {
  const { texts } = context.flags;
  const scope = texts.get('--scope') ?? 'read_write';
  if (scope !== 'read' && scope !== 'read_write')
    throw usage(`--scope must be read or read_write, not '${scope}'`);
  const label = texts.get('--label') ?? `tandem on ${hostname()}`.slice(0, 64);
  if (label.length < 1 || label.length > 64) throw usage('--label must have 1 to 64 characters');
  const expires = texts.get('--expires');
  if (expires === undefined) return { label, scope };
  if (!/^[1-9]\d{0,4}$/.test(expires)) throw usage(`--expires must be a number of days, not '${expires}'`);
  return { label, scope, expiresAt: new Date(context.clock.now() + Number(expires) * DAY_MS).toISOString() };
}

import { ValidationFailed } from '../../client/errors.ts';
import type { Call } from '../../client/route-types.ts';
import type { HouseBody } from '../../contract/agents.ts';
import { houseSentences, mandateSentences } from '../../contract/mandate-words.ts';
import { chooseAgent, readAgents, readNamedAccounts } from '../agent-answers.ts';
import { read } from '../answers.ts';
import { isAmount } from '../basket-legs.ts';
import { CliError, usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, printAnswer } from '../command.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';

const AMOUNTS = {
  '--per-order': 'maxOrderUsd',
  '--opened': 'maxOpenedUsd24h',
  '--total': 'maxGrossUsd',
  '--loss': 'lossUsd24h',
} as const;

export const command: Command = {
  usage: 'agents limits [<id|name>]',
  about: [
    'Shows what an agent or a key may do with money; without a name the limits over all of them together.',
    'With flags it sets the latter: an amount in USD, or none. Allowing more than before asks for the password again, in a terminal.',
  ],
  flags: [
    {
      name: '--per-order',
      kind: 'text',
      fields: ['limits.maxOrderUsd', 'maxOrderUsd'],
      value: '<usd>',
      help: 'Most that one order may be worth',
    },
    {
      name: '--opened',
      kind: 'text',
      fields: ['limits.maxOpenedUsd24h', 'maxOpenedUsd24h'],
      value: '<usd>',
      help: 'Most that they may open in 24 hours',
    },
    {
      name: '--total',
      kind: 'text',
      fields: ['limits.maxGrossUsd', 'maxGrossUsd'],
      value: '<usd>',
      help: 'Most that they may hold and have waiting',
    },
    {
      name: '--loss',
      kind: 'text',
      fields: ['limits.lossUsd24h', 'lossUsd24h'],
      value: '<usd>',
      help: 'Loss of 24 hours that stops all of them',
    },
    EMAIL_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 1],
  async run(context) {
    const wanted = context.flags.words[0];
    const changes = changesOf(context);
    if (wanted !== undefined && Object.keys(changes).length > 0)
      throw usage('flags set the limits over all agents: name no agent with them');
    await withSession(context, false, async ({ call }) => {
      const { agents, house } = await readAgents(call);
      if (wanted === undefined) {
        const now = Object.keys(changes).length === 0 ? house : await change(context, call, house, changes);
        printAnswer(context, now, () => print(context, houseSentences(now.limits)));
        return;
      }
      const agent = chooseAgent(agents, wanted);
      const accounts = await readNamedAccounts(call);
      printAnswer(context, agent, () =>
        print(
          context,
          agent.mandate === null ? ['No limits were set.'] : mandateSentences(agent.mandate.terms, accounts),
        ),
      );
    });
    return 0;
  },
};

function print({ terminal }: CommandContext, sentences: readonly string[]): void {
  for (const sentence of sentences) terminal.out(sentence);
}

function changesOf({ flags }: CommandContext): Partial<HouseBody['limits']> {
  const given = Object.entries(AMOUNTS).flatMap(([flag, field]) => {
    const text = flags.texts.get(flag);
    if (text === undefined) return [];
    if (text !== 'none' && !isAmount(text))
      throw usage(`${flag} must be an amount in USD or none, not '${text}'`);
    return [[field, text === 'none' ? null : text]];
  });
  return Object.fromEntries(given);
}

/** The password is asked for here, never taken from the environment: a program with a shell could have set it. */
async function change(
  { terminal }: CommandContext,
  call: Call,
  { version, limits }: HouseBody,
  changes: Partial<HouseBody['limits']>,
): Promise<HouseBody> {
  const body = { limits: { ...limits, ...changes }, ifVersion: version };
  try {
    return read('PUT /agents/limits', await call('PUT /agents/limits', { body }));
  } catch (error) {
    const refused = error instanceof CliError ? error.cause : error;
    if (!(refused instanceof ValidationFailed && refused.fields.some(({ path }) => path === 'password')))
      throw error;
  }
  if (!terminal.canAsk)
    throw new CliError('this allows more than before: do it in a terminal, or on the dashboard');
  const password = await terminal.askSecret('This allows more than before. Your password: ');
  return read('PUT /agents/limits', await call('PUT /agents/limits', { body: { ...body, password } }));
}

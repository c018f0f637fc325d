import { read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, printAnswer } from '../command.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';
import { accountOf } from '../venue-accounts.ts';

export const command: Command = {
  usage: 'venue arm <account> --per-order <usd> --total <usd> [--day-loss <usd>] [--allow api-keys,agents]',
  about: [
    'Lets an account with real money open positions, up to these limits. What closes is never limited.',
    'Besides you, only whom --allow names may open on it.',
  ],
  flags: [
    { name: '--per-order', kind: 'text', value: '<usd>', help: 'Most that one order may be worth' },
    { name: '--total', kind: 'text', value: '<usd>', help: 'Most that may be open at a time' },
    {
      name: '--day-loss',
      kind: 'text',
      value: '<usd>',
      help: 'Loss of a day after which nothing is opened (no limit)',
    },
    {
      name: '--allow',
      kind: 'text',
      value: '<who>',
      help: 'api-keys, agents, or both with a comma (nobody)',
    },
    EMAIL_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [1, 1],
  async run(context) {
    const limits = limitsOf(context);
    const { account, arming } = await withSession(context, false, async ({ call }) => {
      const accounts = read('GET /trade-accounts', await call('GET /trade-accounts')).tradeAccounts;
      const one = accountOf(accounts, context.flags.words[0] ?? '');
      const answer = await call('PUT /trade-accounts/{id}/arming', {
        params: { id: one.id },
        body: { alias: await typedAlias(context, one.alias), ...limits },
      });
      return { account: one, arming: read('PUT /trade-accounts/{id}/arming', answer) };
    });
    printAnswer(context, arming, () =>
      context.terminal.err(
        `'${account.alias}' is armed: up to ${arming.perOrderUsd} USD an order, ${arming.totalUsd} USD in all. This is real money unless it is a test network.`,
      ),
    );
    return 0;
  },
};

/** A person types the name, so that nobody arms another account than the one meant; a script has named it already. */
async function typedAlias({ terminal }: CommandContext, alias: string): Promise<string> {
  if (!terminal.canAsk) return alias;
  return (await terminal.ask(`Type the account's name to arm it (${alias}): `)).trim();
}

const USD = /^\d{1,12}(\.\d{1,6})?$/;
const WHO = { 'api-keys': 'apiKeys', agents: 'grants' } as const;

function limitsOf({ flags: { texts } }: CommandContext) {
  const usd = (name: string): string => {
    const value = texts.get(name);
    if (value === undefined || !USD.test(value)) throw usage(`${name} must be an amount in USD, as 100`);
    return value;
  };
  const allowed = (texts.get('--allow') ?? '').split(',').filter((who) => who !== '');
  for (const who of allowed)
    if (!Object.hasOwn(WHO, who)) throw usage(`--allow knows api-keys and agents, not '${who}'`);
  return {
    perOrderUsd: usd('--per-order'),
    totalUsd: usd('--total'),
    ...(texts.has('--day-loss') ? { dayLossUsd: usd('--day-loss') } : {}),
    allow: { apiKeys: allowed.includes('api-keys'), grants: allowed.includes('agents') },
  };
}

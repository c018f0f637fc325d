import type { Request } from '../../client/route-types.ts';
import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { armingLine } from '../arming-answer.ts';
import { isAmount } from '../basket-legs.ts';
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, printAnswer } from '../command.ts';
import { chooseAccount } from '../reach-gateway.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';
import { stripControls } from '../table.ts';

type ArmBody = Request<'PUT /trade-accounts/{id}/arming'>['body'];

const PROGRAMS = { 'api-keys': 'apiKeys', grants: 'grants' } as const;

export const command: Command = {
  usage: 'venue arm <account> --per-order <usd> --total <usd>',
  about: [
    'Lets a live account open positions with real money, up to the caps. Only its owner can: it asks for the password.',
    'What is not named stays as it was; at first no program may open on the account.',
  ],
  flags: [
    {
      name: '--per-order',
      kind: 'text',
      fields: ['perOrderUsd'],
      value: '<usd>',
      help: 'Most that one order may be worth',
    },
    {
      name: '--total',
      kind: 'text',
      fields: ['totalUsd'],
      value: '<usd>',
      help: 'Most that the account may hold in all',
    },
    {
      name: '--allow',
      kind: 'text',
      fields: ['allow'],
      value: '<who>',
      help: 'Who else may open: api-keys, grants, both with a comma, or none',
    },
    {
      name: '--day-loss',
      kind: 'text',
      fields: ['dayLossUsd'],
      value: '<usd>',
      help: 'Loss of a day after which nothing opens, or none',
    },
    {
      name: '--programs-read',
      kind: 'text',
      fields: ['programsReadCredentials'],
      value: '<yes|no>',
      help: 'May programs read its credentials',
    },
    EMAIL_FLAG,
    ...CLIENT_FLAGS,
  ],
  said: [{ name: 'the alias', fields: ['alias'] }],
  words: [1, 1],
  async run(context) {
    const wanted = context.flags.words[0] ?? '';
    const limits = limitsOf(context);
    const { answer, account } = await withSession(context, false, async ({ call }) => {
      const { tradeAccounts } = read('GET /trade-accounts', await call('GET /trade-accounts'));
      const account = chooseAccount(tradeAccounts, wanted);
      const typed = context.terminal.canAsk
        ? await context.terminal.ask(
            `${moneyWord(account)}: ${account.network === 'testnet' ? 'this is the test network.' : 'this is real money.'} Type the account's alias (${stripControls(account.alias)}) to arm it: `,
          )
        : wanted;
      const params = { id: account.id };
      const body = { ...limits, alias: typed.trim() };
      return {
        account,
        answer: await call('PUT /trade-accounts/{id}/arming', { params, body }),
      };
    });
    const { mode, network } = account;
    printAnswer(context, { ...answer, mode, network }, () =>
      context.terminal.out(armingLine(account, read('GET /trade-accounts/{id}/arming', answer))),
    );
    return 0;
  },
};

function limitsOf(context: CommandContext): Omit<ArmBody, 'alias'> {
  const { texts } = context.flags;
  const allow = texts.get('--allow');
  const dayLoss = texts.get('--day-loss');
  const reads = texts.get('--programs-read');
  if (reads !== undefined && reads !== 'yes' && reads !== 'no') {
    throw usage(`--programs-read must be yes or no, not '${reads}'`);
  }
  return {
    perOrderUsd: amountOf('--per-order', texts.get('--per-order')),
    totalUsd: amountOf('--total', texts.get('--total')),
    ...(allow === undefined ? {} : { allow: allowed(allow) }),
    ...(dayLoss === undefined
      ? {}
      : { dayLossUsd: dayLoss === 'none' ? null : amountOf('--day-loss', dayLoss) }),
    ...(reads === undefined ? {} : { programsReadCredentials: reads === 'yes' }),
  };
}

function amountOf(flag: string, text: string | undefined): string {
  if (text === undefined) throw usage(`${flag} <usd> is needed`);
  if (!isAmount(text)) throw usage(`${flag} must be an amount in USD, not '${text}'`);
  return text;
}

function allowed(text: string): { readonly apiKeys: boolean; readonly grants: boolean } {
  const named = text === 'none' ? [] : text.split(',').map((one) => one.trim());
  const unknown = named.find((one) => !Object.hasOwn(PROGRAMS, one));
  if (unknown !== undefined) throw usage(`--allow takes api-keys, grants or none, not '${unknown}'`);
  return { apiKeys: named.includes('api-keys'), grants: named.includes('grants') };
}

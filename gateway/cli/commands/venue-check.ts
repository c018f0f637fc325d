import { writeFile } from 'node:fs/promises';
import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { CliError, usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, isOn, printAnswer } from '../command.ts';
import type { GatewayApi } from '../gateway-api.ts';
import { startProgress } from '../progress.ts';
import { chooseAccount, keyedApi } from '../reach-gateway.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';
import { stripControls } from '../table.ts';
import { connectorOf } from '../venue-accounts.ts';

export const command: Command = {
  usage: 'venue check <connector> [--testnet] [--account <id|alias>] [--order] [--transcript <file>]',
  about: [
    'Looks whether everything works that trading at a live venue needs, and says how to mend what does not.',
    'Nothing is ordered without --order. Exit code 1 when a step fails.',
  ],
  flags: [
    { name: '--testnet', kind: 'switch', help: "The venue's test network" },
    {
      name: '--account',
      kind: 'text',
      value: '<id|alias>',
      help: 'Account to look at too (the only one at the venue)',
    },
    {
      name: '--transcript',
      kind: 'text',
      value: '<file>',
      help: 'Keep what the venue was asked and answered, without secrets and addresses',
    },
    {
      name: '--order',
      kind: 'switch',
      help: 'Send the smallest orders too, 12 USD at most each; real money without --testnet. Asks for the password',
    },
    EMAIL_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [1, 1],
  async run(context) {
    const { terminal, clock } = context;
    const file = context.flags.texts.get('--transcript');
    const asked = async ({ call }: Pick<GatewayApi, 'call'>) => {
      const { connectors } = read('GET /connectors', await call('GET /connectors'));
      const connector = connectorOf(connectors, context.flags.words[0] ?? '', isOn(context, '--testnet'));
      const { id } = connector;
      const word = moneyWord(connector);
      const { tradeAccounts } = read('GET /trade-accounts', await call('GET /trade-accounts'));
      const there = tradeAccounts.filter(
        ({ connector, status }) => connector === id && status !== 'NO_CREDENTIALS',
      );
      const wanted = context.flags.texts.get('--account');
      if (wanted === undefined && there.length > 1)
        throw usage(
          `--account is needed: ${there.map(({ alias }) => `'${alias}'`).join(', ')} are connected there`,
        );
      const account = wanted === undefined ? there[0] : chooseAccount(there, wanted);
      const orders = isOn(context, '--order') ? await ordersFor(context, account, word) : {};
      const progress = startProgress(terminal, clock, `asking ${id}`);
      const answer = await call('POST /connectors/{id}/check', {
        params: { id },
        body: {
          ...(account === undefined ? {} : { tradeAccountId: account.id }),
          transcript: file !== undefined,
          ...orders,
        },
      }).finally(() => progress.done());
      return { answer, account, id, word };
    };
    const { answer, account, id, word } = isOn(context, '--order')
      ? await withSession(context, false, asked)
      : await asked(keyedApi(context));
    const report = read('POST /connectors/{id}/check', answer);
    if (file !== undefined) await keep(file, report);
    printAnswer(context, { ...answer, mode: 'LIVE' }, () => {
      const name = account === undefined ? id : `${stripControls(account.alias)} (${id})`;
      terminal.out(`${word}: ${name}`);
      if (report.override !== null)
        terminal.err(
          `${id} is an override: ${report.override} stands in for the venue, nothing here is real.`,
        );
      const longest = Math.max(...report.steps.map(({ name }) => name.length));
      for (const { ok, name, detail, remedy } of report.steps) {
        terminal.out(`${ok ? '✓' : '✗'} ${name.padEnd(longest)}  ${stripControls(detail)}`);
        if (remedy !== null) terminal.out(`${' '.repeat(longest + 4)}→ ${stripControls(remedy)}`);
      }
      const { proven } = report;
      if (proven != null)
        terminal.out(
          `Orders proven ${proven.at.slice(0, 10)} by version ${proven.version}${proven.override == null ? '' : ', on an override'}`,
        );
      if (account === undefined) terminal.err('No account is connected there: tandem venue connect');
    });
    return report.ok ? 0 : 1;
  },
};

/** Consent to orders in the request; on a live account the user types its alias. */
async function ordersFor(
  { terminal }: CommandContext,
  account: { readonly alias: string } | undefined,
  word: string,
): Promise<{ readonly orders: true; readonly confirm?: string }> {
  if (account === undefined) throw usage('--order needs a connected account: tandem venue connect');
  if (word === 'TESTNET') return { orders: true };
  if (!terminal.canAsk) throw usage('--order with real money is confirmed by a person, in a terminal');
  const typed = await terminal.ask(
    `${word}: this is real money. Type the account's alias (${stripControls(account.alias)}) to order: `,
  );
  return { orders: true, confirm: typed.trim() };
}

async function keep(file: string, report: object): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new CliError(
      `the transcript was not written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The mark of an account, with its name: stands in front of every question, answer and event that concerns one. */
import { type CommandContext, isOn, printJson } from './command.ts';
import { stripControls } from './table.ts';

export interface Money {
  readonly mode: string;
  readonly network?: string | null | undefined;
}

export interface MarkedAccount extends Money {
  readonly alias: string;
  readonly connector: string;
}

/** LIVE is real money, TESTNET the venue's play money, PAPER never leaves the gateway. */
export function moneyWord({ mode, network }: Money): string {
  return mode === 'LIVE' && network === 'testnet' ? 'TESTNET' : mode;
}

/** `LIVE: Main (hyperliquid)` */
function accountLine(account: MarkedAccount): string {
  return `${moneyWord(account)}: ${stripControls(account.alias)} (${stripControls(account.connector)})`;
}

/** Said before something is sent to a venue, also where the answer is JSON. */
export function warnOfVenue({ terminal }: Pick<CommandContext, 'terminal'>, account: MarkedAccount): void {
  if (account.mode === 'LIVE') terminal.err(accountLine(account));
}

/** As `printAnswer`, about one account: JSON has the account's `mode` and `network` too, text begins with its mark. */
export function printAccountAnswer(
  context: CommandContext,
  account: MarkedAccount,
  answer: object,
  print: () => void,
): void {
  const { mode, network = null } = account;
  if (isOn(context, '--json')) {
    printJson(context.terminal, { ...answer, mode, network });
    return;
  }
  context.terminal.out(accountLine(account));
  print();
}

/** A command that lists something of one account, newest first; with an id, where it has a `detail`, one of them. */
import { printAccountAnswer } from './account-mark.ts';
import {
  ACCOUNT_FLAG,
  CLIENT_FLAGS,
  type Command,
  type CommandContext,
  isOn,
  LIMIT_FLAG,
  limitOf,
  printList,
} from './command.ts';
import type { GatewayApi } from './gateway-api.ts';
import { chooseById } from './ids.ts';
import { EVERY } from './open-position.ts';
import type { FlagSpec } from './parse-flags.ts';
import { accountApi } from './reach-gateway.ts';
import type { Column } from './table.ts';

interface Found<Row> {
  /** As `--json` prints it. */
  readonly answer: object;
  readonly rows: readonly Row[];
  readonly nextCursor?: string | undefined;
}

interface Detail {
  /** One of the rows, in the singular. */
  readonly what: string;
  /** Command that lists those that it takes. */
  readonly see: string;
  /** @returns the answer, and what prints it */
  readonly show: (
    api: GatewayApi,
    id: string,
    context: CommandContext,
  ) => Promise<{ readonly answer: object; readonly print: () => void }>;
}

interface AccountList<Row extends { readonly id: string }> {
  readonly usage: string;
  readonly about: readonly string[];
  /** Beside `--limit`, `--account` and those of every command. */
  readonly flags: readonly FlagSpec[];
  readonly find: (api: GatewayApi, limit: string, context: CommandContext) => Promise<Found<Row>>;
  readonly print: (context: CommandContext, found: Found<Row>) => void;
  readonly detail?: Detail & {
    readonly every: (api: GatewayApi, limit: number) => Promise<readonly Row[]>;
  };
}

export const ALL_FLAG: FlagSpec = { name: '--all', kind: 'switch', help: 'Also those that have ended' };

export function accountList<Row extends { readonly id: string }>(spec: AccountList<Row>): Command {
  const { detail } = spec;
  return {
    usage: spec.usage,
    about: spec.about,
    flags: [...spec.flags, LIMIT_FLAG, ACCOUNT_FLAG, ...CLIENT_FLAGS],
    words: [0, detail === undefined ? 0 : 1],
    async run(context) {
      const limit = limitOf(context);
      const { api, account } = await accountApi(context);
      const wanted = context.flags.words[0];
      if (wanted !== undefined && detail !== undefined) {
        const { id } = chooseById(await detail.every(api, EVERY), wanted, detail.what, detail.see);
        const { answer, print } = await detail.show(api, id, context);
        printAccountAnswer(context, account, answer, print);
        return 0;
      }
      const found = await spec.find(api, limit, context);
      printAccountAnswer(context, account, found.answer, () => spec.print(context, found));
      return 0;
    },
  };
}

/** Prints the rows as one table. @param none text for an empty list */
export function asTable<Row>(columns: readonly Column<Row>[], none: string) {
  return (context: CommandContext, { rows, nextCursor }: Found<Row>) =>
    printList(context, rows, columns, none, nextCursor);
}

/** Query of a list: `status` unless `flag` asks for every status. */
export function statusUnless(context: CommandContext, flag: string, status: string, limit: string) {
  return isOn(context, flag) ? { limit } : { limit, status };
}

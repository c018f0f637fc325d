/** Common parts of the commands about pending orders: triggers, schedules (TWAP), ladders and the venue's own. */
import { randomUUID } from 'node:crypto';
import { NoAnswer } from '../client/errors.ts';
import { printAccountAnswer, warnOfVenue } from './account-mark.ts';
import type { TriggerAnswer } from './answers.ts';
import { CliError, usage } from './cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, type CommandContext, isOn } from './command.ts';
import type { GatewayApi } from './gateway-api.ts';
import { chooseById } from './ids.ts';
import type { FlagSpec } from './parse-flags.ts';
import { accountApi } from './reach-gateway.ts';
import { price } from './readable-numbers.ts';

export const KEY_FLAG: FlagSpec = {
  name: '--idempotency-key',
  kind: 'text',
  fields: ['idempotencyKey'],
  value: '<text>',
  help: 'Your own key: the same one never places twice',
};
export const EXPIRES_FLAG: FlagSpec = {
  name: '--expires',
  kind: 'text',
  fields: ['expiresAt'],
  value: '<time>',
  help: 'Ends then, such as 2027-01-31T12:00:00Z (never)',
};
const ALL_FLAG: FlagSpec = { name: '--all', kind: 'switch', help: 'All of the account that wait' };

/** Value of `--idempotency-key`, or a new one. */
export function keyOf({ flags }: CommandContext): string {
  const key = flags.texts.get('--idempotency-key') ?? randomUUID();
  if (!/^[\x20-\x7e]{1,128}$/.test(key))
    throw usage('--idempotency-key must have 1 to 128 printable characters');
  return key;
}

/** Sends once. When the answer is lost, the failure names the key under which it can be sent again without placing twice. */
export async function sendOnce<T>(
  key: string,
  see: string,
  send: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  try {
    return await send(key);
  } catch (error) {
    if (!(error instanceof CliError && error.cause instanceof NoAnswer)) throw error;
    throw new CliError(
      `${error.message}: it may be placed or not; see ${see}, or send it again with --idempotency-key ${key}`,
      1,
      error.cause,
    );
  }
}

/** A whole number of a flag. */
export function wholeOf(
  { flags }: CommandContext,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const text = flags.texts.get(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw usage(`${name} must be a whole number from ${least} to ${most}, not '${text}'`);
  return value;
}

interface Change<Row> {
  readonly usage: string;
  readonly about: readonly string[];
  /** Of one of the rows, in the singular: `trigger`. */
  readonly what: string;
  readonly see: string;
  /** Statuses in which an order can be changed. */
  readonly rows: (api: GatewayApi) => Promise<readonly Row[]>;
  readonly change: (api: GatewayApi, id: string) => Promise<object>;
  /** `Cancelled` */
  readonly done: string;
  /** With `--all`; absent: one at a time. */
  readonly all?: (api: GatewayApi) => Promise<CancelReport>;
}

interface CancelReport {
  readonly cancelled: readonly string[];
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

/** A command that changes one thing that waits, named by its id or an end of it. */
export function changeCommand<Row extends { readonly id: string }>(spec: Change<Row>): Command {
  return {
    usage: spec.usage,
    about: spec.about,
    flags: [...(spec.all === undefined ? [] : [ALL_FLAG]), ACCOUNT_FLAG, ...CLIENT_FLAGS],
    words: [spec.all === undefined ? 1 : 0, 1],
    async run(context) {
      const wanted = context.flags.words[0];
      const everything = isOn(context, '--all');
      if ((wanted === undefined) === !everything)
        throw usage(`name one ${spec.what}, or --all; usage: tandem ${spec.usage}`);
      const { api, account } = await accountApi(context);
      if (spec.all !== undefined && everything) {
        warnOfVenue(context, account);
        const report = await spec.all(api);
        printAccountAnswer(context, account, report, () =>
          context.terminal.out(`${spec.done} ${report.cancelled.length}.`),
        );
        for (const { id, message } of report.failed) context.terminal.err(`${id}: ${message}`);
        return report.failed.length === 0 ? 0 : 1;
      }
      const { id } = chooseById(await spec.rows(api), wanted ?? '', spec.what, spec.see);
      warnOfVenue(context, account);
      const answer = await spec.change(api, id);
      printAccountAnswer(context, account, answer, () =>
        context.terminal.out(`${spec.done} ${spec.what} ${id}.`),
      );
      return 0;
    },
  };
}

/** Metrics of conditions and brackets, with their units. */
export const METRIC_WORDS: Readonly<Record<string, string>> = {
  PRICE_RATIO: 'ratio',
  WEIGHTED_RATIO: 'weighted ratio',
  BTC_DOM: 'dominance',
  PERCENTAGE: 'PnL %',
  DOLLAR: 'PnL USD',
  POSITION_VALUE: 'value USD',
  PRICE: 'price',
};

/** `, now 1,800`: the present level of a bracket where it is another one than was asked for. */
export function movedTo({
  value,
  level,
}: {
  readonly value: string;
  readonly level?: string | null;
}): string {
  // Of a loss the level is negative.
  const isAsAsked = level === undefined || level === null || level.replace('-', '') === value;
  return isAsAsked ? '' : `, now ${price(level)}`;
}

/** Condition of a trigger: `BTC-PERP < 90,000`, `stop-loss PnL % 3`. */
export function waitsFor({
  condition,
  bracket,
  bracketType,
}: Pick<TriggerAnswer, 'condition' | 'bracket' | 'bracketType'>): string {
  if (condition !== null) {
    const name = 'symbol' in condition ? condition.symbol : nameOf(condition);
    const of = transformText(condition);
    return `${of}${name} ${condition.direction === 'MORE_THAN' ? '>' : '<'} ${price(condition.value)}`;
  }
  if (bracket === null) return '–';
  const kind = bracketType === 'STOP_LOSS' ? 'stop-loss' : 'take-profit';
  const asked = `${transformText(bracket)}${METRIC_WORDS[bracket.type] ?? bracket.type} ${price(bracket.value)}`;
  return `${kind} ${asked}${movedTo(bracket)}`;
}

const TRANSFORM_WORDS: Readonly<Record<string, string>> = { Z_SCORE: 'z-score of ', SPREAD: 'spread of ' };

/** `z-score of `; empty: the level is of the metric itself. */
function transformText(watched: { readonly transform?: string | undefined } | object): string {
  const transform = 'transform' in watched ? watched.transform : undefined;
  return transform === undefined ? '' : (TRANSFORM_WORDS[transform] ?? '');
}

function nameOf(condition: NonNullable<TriggerAnswer['condition']>): string {
  if ('marketKey' in condition) return `${condition.source}/${condition.marketKey}`;
  return METRIC_WORDS[condition.type] ?? condition.type;
}

/** `2026-01-31 12:00:00` */
export function second(time: string | null | undefined): string | null {
  return time ? time.slice(0, 19).replace('T', ' ') : null;
}

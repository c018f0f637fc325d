/** Flags of the basket that a command trades, shared by what opens at once, in slices, in rungs or on a condition. */
import { read } from './answers.ts';
import { isAmount, type OrderLeg, parseLegs } from './basket-legs.ts';
import { usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import type { GatewayApi } from './gateway-api.ts';
import type { FlagSpec } from './parse-flags.ts';

const MODES = { usd: 'USD', base: 'BASE', weight: 'WEIGHT' } as const;

export const BASKET_FLAGS: readonly FlagSpec[] = [
  {
    name: '--long',
    kind: 'list',
    fields: ['legs'],
    value: '<ticker>=<amount>',
    help: 'A leg to buy; repeatable',
  },
  {
    name: '--short',
    kind: 'list',
    fields: ['legs'],
    value: '<ticker>=<amount>',
    help: 'A leg to sell short; repeatable',
  },
  {
    name: '--mode',
    kind: 'text',
    value: '<mode>',
    help: 'usd, base or weight (usd)',
    values: Object.keys(MODES),
  },
  {
    name: '--total',
    kind: 'text',
    fields: ['totalUsd'],
    value: '<usd>',
    help: 'Gross notional that weights share',
  },
];

export interface Basket {
  readonly legs: OrderLeg[];
  /** For the body of a request. */
  readonly total: { readonly totalUsd?: string };
  readonly idByTicker: Readonly<Record<string, string>>;
}

/** Reads the flags, before anything is asked, and then the legs, by the tickers of the account's venue. */
export function basketReader(
  context: CommandContext,
): (api: GatewayApi, connector: string) => Promise<Basket> {
  const { texts, lists } = context.flags;
  const mode = oneOf(texts.get('--mode') ?? 'usd', MODES, '--mode');
  const total = texts.get('--total');
  checkTotal(mode, total);
  return async (api, connector) => {
    const idByTicker = await tickersOf(api, connector);
    const legs = parseLegs(
      { longs: split(lists.get('--long')), shorts: split(lists.get('--short')), mode },
      idByTicker,
    );
    return { legs, total: total === undefined ? {} : { totalUsd: total }, idByTicker };
  };
}

export async function tickersOf(
  api: GatewayApi,
  connector: string,
): Promise<Readonly<Record<string, string>>> {
  const map = await api.call('GET /instruments/symbol-to-id-map', { query: { connector } });
  return read('GET /instruments/symbol-to-id-map', map);
}

/** The contract's word for a typed word, whatever its case. @param words typed word → the contract's word */
export function oneOf<Word>(value: string, words: Readonly<Record<string, Word>>, flag: string): Word {
  const typed = value.toLowerCase();
  const word = Object.hasOwn(words, typed) ? words[typed] : undefined;
  if (word !== undefined) return word;
  throw usage(`${flag} must be one of ${Object.keys(words).join(', ')}, not '${value}'`);
}

function checkTotal(mode: string, total: string | undefined): void {
  if (mode === 'WEIGHT' && total === undefined)
    throw usage('--mode weight needs --total, the US dollars that the weights share');
  if (mode !== 'WEIGHT' && total !== undefined) throw usage('--total belongs to --mode weight');
  if (total !== undefined && !isAmount(total))
    throw usage(`--total must be US dollars such as 1000, not '${total}'`);
}

/**
 * A comma separates legs, except before a group of three digits: `BTC=1,000` stays one word, which is then refused as
 * a whole.
 */
export function split(words: readonly string[] = []): string[] {
  return words.flatMap((word) => word.split(/,(?!\d+(?:[.,]|$))/)).filter((word) => word !== '');
}

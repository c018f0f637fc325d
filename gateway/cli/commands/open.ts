import type { Request } from '../../client/route-types.ts';
import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { read, readPlan } from '../answers.ts';
import { isAmount, type OrderLeg, parseLegs } from '../basket-legs.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, type CommandContext, isOn } from '../command.ts';
import {
  checkSlippage,
  FOLLOW_FLAGS,
  followOptions,
  placeAndFollow,
  SLIPPAGE_FLAG,
} from '../follow-execution.ts';
import type { GatewayApi } from '../gateway-api.ts';
import { printPlan } from '../print-execution.ts';
import { accountApi } from '../reach-gateway.ts';

type OpenBody = Request<'POST /trade/open'>['body'];

const MODES = { usd: 'USD', base: 'BASE', weight: 'WEIGHT' } as const;
const POLICIES = { keep: 'KEEP', unwind: 'UNWIND', retry: 'RETRY' } as const;
const MARGIN_MODES = { cross: 'cross', isolated: 'isolated' } as const;

export const command: Command = {
  usage: 'open --long <ticker>=<amount> … --short <ticker>=<amount> …',
  about: [
    'Opens a basket at market: every leg in one call. Opening an open basket again adds to it.',
    'Amounts are US dollars: tandem open --long BTC=500 --short ETH=250 --short SOL=250',
    'With --mode base they are quantities, with --mode weight shares of --total that sum to 1.',
  ],
  flags: [
    { name: '--long', kind: 'list', value: '<ticker>=<amount>', help: 'A leg to buy; repeatable' },
    { name: '--short', kind: 'list', value: '<ticker>=<amount>', help: 'A leg to sell short; repeatable' },
    { name: '--mode', kind: 'text', value: '<mode>', help: 'usd, base or weight (usd)' },
    { name: '--total', kind: 'text', value: '<usd>', help: 'Gross notional that weights share' },
    SLIPPAGE_FLAG,
    { name: '--on-leg-failure', kind: 'text', value: '<policy>', help: 'keep, unwind or retry (keep)' },
    {
      name: '--leverage',
      kind: 'list',
      value: '<n|ticker=n>',
      help: "Sets the legs' leverage first; repeatable",
    },
    { name: '--margin', kind: 'text', value: '<mode>', help: 'cross or isolated, with --leverage (cross)' },
    {
      name: '--dry-run',
      kind: 'switch',
      help: 'Show sizes, prices, margin and fees; order nothing, change nothing',
    },
    ...FOLLOW_FLAGS,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { texts, lists } = context.flags;
    const options = followOptions(context);
    const mode = oneOf(texts.get('--mode') ?? 'usd', MODES, '--mode');
    checkTotal(mode, texts.get('--total'));
    checkSlippage(texts.get('--slippage'));
    const { api, account } = await accountApi(context);
    const query = { connector: account.connector };
    const map = await api.call('GET /instruments/symbol-to-id-map', { query });
    const idByTicker = read('GET /instruments/symbol-to-id-map', map);
    const legs = parseLegs(
      { longs: split(lists.get('--long')), shorts: split(lists.get('--short')), mode },
      idByTicker,
    );
    const leverage = leverageOf(context, legs, idByTicker);
    const body = orderBody(context, legs);

    if (isOn(context, '--dry-run')) {
      const answer = await api.call('POST /trade/open', { body: { ...body, dryRun: true } });
      const plan = readPlan(answer);
      printAccountAnswer(context, account, answer, () => printPlan(context.terminal, plan));
      context.terminal.err('Dry run: nothing was ordered.');
      if (leverage.size > 0) context.terminal.err('--leverage was not applied: a dry run changes nothing.');
      return plan.problems.length === 0 ? 0 : 1;
    }

    warnOfVenue(context, account);
    await applyLeverage(context, api, account.connector, leverage);
    const route = 'POST /trade/open';
    const send = (idempotencyKey: string) => api.call(route, { body, idempotencyKey });
    return placeAndFollow(context, { api, account }, options, route, send);
  },
};

function orderBody(context: CommandContext, legs: OrderLeg[]): Extract<OpenBody, { type: 'MARKET' }> {
  const { texts } = context.flags;
  const total = texts.get('--total');
  const slippage = texts.get('--slippage');
  const policy = texts.get('--on-leg-failure');
  return {
    type: 'MARKET',
    legs,
    ...(total === undefined ? {} : { totalUsd: total }),
    ...(slippage === undefined ? {} : { slippage }),
    ...(policy === undefined ? {} : { onLegFailure: oneOf(policy, POLICIES, '--on-leg-failure') }),
  };
}

/** Instrument ID → leverage. */
function leverageOf(
  context: CommandContext,
  legs: readonly OrderLeg[],
  idByTicker: Readonly<Record<string, string>>,
): ReadonlyMap<string, number> {
  const chosen = new Map<string, number>();
  for (const word of split(context.flags.lists.get('--leverage'))) {
    const [, name, number] = /^(?:([^=]+)=)?([1-9]\d{0,3})x?$/.exec(word) ?? [];
    if (number === undefined)
      throw usage(`--leverage wants a whole number, or one for a leg such as BTC=5, not '${word}'`);
    if (name === undefined) {
      for (const leg of legs) if (!chosen.has(leg.symbol)) chosen.set(leg.symbol, Number(number));
      continue;
    }
    const [leg] = parseLegs({ longs: [`${name}=1`], shorts: [], mode: 'BASE' }, idByTicker);
    if (leg === undefined || !legs.some((one) => one.symbol === leg.symbol)) {
      throw usage(`--leverage ${word}: ${name} is no leg of this basket`);
    }
    chosen.set(leg.symbol, Number(number));
  }
  return chosen;
}

async function applyLeverage(
  context: CommandContext,
  api: GatewayApi,
  connector: string,
  leverage: ReadonlyMap<string, number>,
): Promise<void> {
  if (leverage.size === 0) return;
  const given = context.flags.texts.get('--margin');
  const marginMode = oneOf(given ?? 'cross', MARGIN_MODES, '--margin');
  const { connectors } = read('GET /connectors', await api.call('GET /connectors'));
  const rejects = connectors.find((one) => one.id === connector)?.marginMode === 'rejected';
  if (rejects && given !== undefined) throw usage(`--margin: ${connector} has only one margin mode`);
  for (const [symbol, factor] of leverage) {
    const body = { symbol, leverage: factor, ...(rejects ? {} : { marginMode }) };
    await api.call('PUT /leverage', { body });
  }
}

/** The contract's word for a typed word, whatever its case. @param words typed word → the contract's word */
function oneOf<Word>(value: string, words: Readonly<Record<string, Word>>, flag: string): Word {
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
function split(words: readonly string[] = []): string[] {
  return words.flatMap((word) => word.split(/,(?!\d+(?:[.,]|$))/)).filter((word) => word !== '');
}

import { connectorList, planEnvelope, read, symbolMap } from '../answers.ts';
import { isAmount, type OrderLeg, parseLegs } from '../basket-legs.ts';
import { usage } from '../cli-error.ts';
import {
  ACCOUNT_FLAG,
  CLIENT_FLAGS,
  type Command,
  type CommandContext,
  isOn,
  printJson,
} from '../command.ts';
import {
  checkSlippage,
  endOf,
  FOLLOW_FLAGS,
  followOptions,
  placeAndFollow,
  SLIPPAGE_FLAG,
} from '../follow-execution.ts';
import type { GatewayApi } from '../gateway-api.ts';
import { printExecution, printPlan } from '../print-execution.ts';
import { accountApi } from '../reach-gateway.ts';

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
    const mode = oneOf(texts.get('--mode') ?? 'usd', ['usd', 'base', 'weight'], '--mode').toUpperCase();
    checkTotal(mode, texts.get('--total'));
    checkSlippage(texts.get('--slippage'));
    const { api, account } = await accountApi(context);
    const map = await api.call('GET', '/instruments/symbol-to-id-map', {
      query: { connector: account.connector },
    });
    const idByTicker = read(symbolMap, map, 'GET /instruments/symbol-to-id-map');
    const legs = parseLegs(
      {
        longs: split(lists.get('--long')),
        shorts: split(lists.get('--short')),
        mode: mode as OrderLeg['mode'],
      },
      idByTicker,
    );
    const leverage = leverageOf(context, legs, idByTicker);
    const body = orderBody(context, legs);

    if (isOn(context, '--dry-run')) {
      const answer = await api.call('POST', '/trade/open', { body: { ...body, dryRun: true } });
      const { plan } = read(planEnvelope, answer, 'POST /trade/open');
      if (isOn(context, '--json')) printJson(context.terminal, answer);
      else printPlan(context.terminal, plan);
      context.terminal.err('Dry run: nothing was ordered.');
      if (leverage.size > 0) context.terminal.err('--leverage was not applied: a dry run changes nothing.');
      return plan.problems.length === 0 ? 0 : 1;
    }

    await applyLeverage(context, api, account.connector, leverage);
    const wanted = legs
      .map((leg) => `${leg.side} ${leg.symbol}`)
      .sort()
      .join();
    const result = await placeAndFollow(
      context,
      api,
      {
        path: '/trade/open',
        body,
        isMine: (one) =>
          one.orders
            .map((order) => `${order.side} ${order.symbol}`)
            .sort()
            .join() === wanted,
      },
      options,
    );
    if (isOn(context, '--json')) printJson(context.terminal, result);
    else printExecution(context.terminal, result);
    return endOf(context, result);
  },
};

function orderBody(context: CommandContext, legs: readonly OrderLeg[]): Record<string, unknown> {
  const { texts } = context.flags;
  const body: Record<string, unknown> = { type: 'MARKET', legs };
  const total = texts.get('--total');
  if (total !== undefined) body['totalUsd'] = total;
  const slippage = texts.get('--slippage');
  if (slippage !== undefined) body['slippage'] = slippage;
  const policy = texts.get('--on-leg-failure');
  if (policy !== undefined) {
    body['onLegFailure'] = oneOf(policy, ['keep', 'unwind', 'retry'], '--on-leg-failure').toUpperCase();
  }
  return body;
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
  const margin = oneOf(given ?? 'cross', ['cross', 'isolated'], '--margin');
  const { connectors } = read(connectorList, await api.call('GET', '/connectors'), 'GET /connectors');
  const rejects = connectors.find((one) => one.id === connector)?.marginMode === 'rejected';
  if (rejects && given !== undefined) throw usage(`--margin: ${connector} has only one margin mode`);
  for (const [symbol, factor] of leverage) {
    const body = rejects ? { symbol, leverage: factor } : { symbol, leverage: factor, marginMode: margin };
    await api.call('PUT', '/leverage', { body });
  }
}

function oneOf(value: string, allowed: readonly string[], flag: string): string {
  const folded = value.toLowerCase();
  if (allowed.includes(folded)) return folded;
  throw usage(`${flag} must be one of ${allowed.join(', ')}, not '${value}'`);
}

function checkTotal(mode: string, total: string | undefined): void {
  if (mode === 'WEIGHT' && total === undefined)
    throw usage('--mode weight needs --total, the US dollars that the weights share');
  if (mode !== 'WEIGHT' && total !== undefined) throw usage('--total belongs to --mode weight');
  if (total !== undefined && !isAmount(total))
    throw usage(`--total must be US dollars such as 1000, not '${total}'`);
}

/** A comma separates legs, except before a group of digits: `BTC=1,000` is one word, which is then refused as a whole. */
function split(words: readonly string[] = []): string[] {
  return words.flatMap((word) => word.split(/,(?!\d+(?:[.,]|$))/)).filter((word) => word !== '');
}

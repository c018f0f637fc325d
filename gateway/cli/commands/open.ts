import type { Request } from '../../client/route-types.ts';
import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { read, readDryRun } from '../answers.ts';
import { BASKET_FLAGS, basketReader, oneOf, split } from '../basket-flags.ts';
import { type OrderLeg, parseLegs } from '../basket-legs.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, type CommandContext, isOn } from '../command.ts';
import { BRACKET_FLAGS, openingBracketsOf } from '../conditions.ts';
import {
  checkSlippage,
  FOLLOW_FLAGS,
  followOptions,
  placeAndFollow,
  SLIPPAGE_FLAG,
} from '../follow-execution.ts';
import type { GatewayApi } from '../gateway-api.ts';
import { legFailureFlag, legFailureOf } from '../leg-failure.ts';
import { printPlan } from '../print-execution.ts';
import { accountApi } from '../reach-gateway.ts';

type OpenBody = Request<'POST /trade/open'>['body'];

const MARGIN_MODES = { cross: 'cross', isolated: 'isolated' } as const;

export const command: Command = {
  usage: 'open --long <ticker>=<amount> … --short <ticker>=<amount> …',
  about: [
    'Opens a basket at market: every leg in one call. Opening an open basket again adds to it.',
    'Amounts are US dollars: tandem open --long BTC=500 --short ETH=250 --short SOL=250',
    'With --mode base they are quantities, with --mode weight shares of --total that sum to 1.',
  ],
  flags: [
    ...BASKET_FLAGS,
    SLIPPAGE_FLAG,
    legFailureFlag('keep'),
    ...BRACKET_FLAGS,
    {
      name: '--leverage',
      kind: 'list',
      fields: ['leverage'],
      value: '<n|ticker=n>',
      help: "Sets the legs' leverage first; repeatable",
    },
    {
      name: '--margin',
      kind: 'text',
      fields: ['marginMode'],
      value: '<mode>',
      help: 'cross or isolated, with --leverage (cross)',
      values: Object.keys(MARGIN_MODES),
    },
    {
      name: '--dry-run',
      kind: 'switch',
      help: 'Show sizes, prices, expected slippage, margin and fees; order nothing, change nothing',
    },
    ...FOLLOW_FLAGS,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { texts } = context.flags;
    const options = followOptions(context);
    const readBasket = basketReader(context);
    checkSlippage(texts.get('--slippage'));
    const brackets = openingBracketsOf(context);
    const { api, account } = await accountApi(context);
    const { legs, total, idByTicker } = await readBasket(api, account.connector);
    const leverage = leverageOf(context, legs, idByTicker);
    const body = { ...orderBody(context, legs), ...total, ...brackets };

    if (isOn(context, '--dry-run')) {
      const answer = await api.call('POST /trade/open', { body: { ...body, dryRun: true } });
      const { plan, protection } = readDryRun(answer);
      printAccountAnswer(context, account, answer, () => printPlan(context.terminal, plan, protection));
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
  const slippage = context.flags.texts.get('--slippage');
  return {
    type: 'MARKET',
    legs,
    ...(slippage === undefined ? {} : { slippage }),
    ...legFailureOf(context),
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

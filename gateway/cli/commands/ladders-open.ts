import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { read } from '../answers.ts';
import { BASKET_FLAGS, basketReader, oneOf } from '../basket-flags.ts';
import { instrumentOf, isAmount } from '../basket-legs.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import { checkSlippage, SLIPPAGE_FLAG } from '../follow-execution.ts';
import { legFailureFlag, legFailureOf } from '../leg-failure.ts';
import { accountApi } from '../reach-gateway.ts';
import { EXPIRES_FLAG, KEY_FLAG, keyOf, sendOnce, wholeOf } from '../resting.ts';

const DISTRIBUTIONS = { linear: 'LINEAR', geometric: 'GEOMETRIC' } as const;
const SIZINGS = { equal: 'EQUAL', increasing: 'INCREASING', decreasing: 'DECREASING' } as const;
const METRICS = { ratio: 'PRICE_RATIO', weighted: 'WEIGHTED_RATIO' } as const;

export const command: Command = {
  usage: 'ladders open --long <ticker>=<amount> … --of <what> --below|--above <level>,<level> --levels <n>',
  about: [
    'Opens a basket in rungs, one trigger each, across a range of levels.',
    'tandem ladders open --long BTC=5000 --of BTC --below 90000,80000 --levels 5',
  ],
  flags: [
    ...BASKET_FLAGS,
    {
      name: '--of',
      kind: 'text',
      fields: ['metric', 'symbol'],
      value: '<what>',
      help: 'A ticker of the basket, ratio or weighted',
    },
    {
      name: '--below',
      kind: 'text',
      fields: ['start', 'end'],
      value: '<first>,<last>',
      help: 'Rungs fire below their levels',
    },
    {
      name: '--above',
      kind: 'text',
      fields: ['start', 'end'],
      value: '<first>,<last>',
      help: 'Rungs fire above their levels',
    },
    { name: '--levels', kind: 'text', fields: ['levels'], value: '<n>', help: 'Rungs, from 2 to 50' },
    {
      name: '--distribution',
      kind: 'text',
      fields: ['distribution'],
      value: '<how>',
      help: 'linear or geometric (linear)',
      values: Object.keys(DISTRIBUTIONS),
    },
    {
      name: '--sizing',
      kind: 'text',
      fields: ['sizing'],
      value: '<how>',
      help: 'equal, increasing or decreasing (equal)',
      values: Object.keys(SIZINGS),
    },
    {
      name: '--now',
      kind: 'switch',
      fields: ['allowImmediate'],
      help: 'Rungs that are passed already fire at once; else they are refused',
    },
    SLIPPAGE_FLAG,
    legFailureFlag('retry; keep with one leg'),
    EXPIRES_FLAG,
    KEY_FLAG,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { texts } = context.flags;
    const key = keyOf(context);
    const readBasket = basketReader(context);
    const range = rangeOf(texts.get('--below'), texts.get('--above'));
    const levels = wholeOf(context, '--levels', [2, 50]);
    if (levels === undefined) throw usage('--levels <n> is needed');
    const of = texts.get('--of');
    if (of === undefined) throw usage('--of <what> is needed: a ticker of the basket, ratio or weighted');
    const distribution = oneOf(texts.get('--distribution') ?? 'linear', DISTRIBUTIONS, '--distribution');
    const sizing = oneOf(texts.get('--sizing') ?? 'equal', SIZINGS, '--sizing');
    const slippage = texts.get('--slippage');
    checkSlippage(slippage);
    const expiresAt = texts.get('--expires');
    const { api, account } = await accountApi(context);
    const { legs, total, idByTicker } = await readBasket(api, account.connector);
    const named = of.toLowerCase();
    const metric =
      named === 'ratio' || named === 'weighted'
        ? { metric: METRICS[named] }
        : { metric: 'PRICE' as const, symbol: instrumentOf(of, '--of', idByTicker) };
    const body = {
      legs,
      ...total,
      ...metric,
      ...range,
      levels,
      distribution,
      sizing,
      allowImmediate: isOn(context, '--now'),
      ...(slippage === undefined ? {} : { slippage }),
      ...legFailureOf(context),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    warnOfVenue(context, account);
    const answer = await sendOnce(key, 'tandem ladders', (idempotencyKey) =>
      api.call('POST /ladders', { body, idempotencyKey }),
    );
    printAccountAnswer(context, account, answer, () => {
      const one = read('POST /ladders', answer);
      context.terminal.out(`Ladder ${one.id}  ${one.status}  ${one.levels} rungs`);
    });
    return 0;
  },
};

function rangeOf(below: string | undefined, above: string | undefined) {
  if ((below === undefined) === (above === undefined))
    throw usage('name the range with either --below or --above, such as --below 90000,80000');
  const [flag, text = ''] = below === undefined ? ['--above', above] : ['--below', below];
  const [start = '', end = '', more] = text.split(',');
  if (!isAmount(start) || !isAmount(end) || more !== undefined)
    throw usage(`${flag} wants the first and the last level, such as 90000,80000, not '${text}'`);
  return { direction: flag === '--above' ? ('MORE_THAN' as const) : ('LESS_THAN' as const), start, end };
}

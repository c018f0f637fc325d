import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { read } from '../answers.ts';
import { BASKET_FLAGS, basketReader } from '../basket-flags.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import { BRACKET_FLAGS, openingBracketsOf } from '../conditions.ts';
import { checkSlippage, SLIPPAGE_FLAG } from '../follow-execution.ts';
import { legFailureFlag, legFailureOf } from '../leg-failure.ts';
import { accountApi } from '../reach-gateway.ts';
import { KEY_FLAG, keyOf, sendOnce, wholeOf } from '../resting.ts';

export const command: Command = {
  usage: 'twap open --long <ticker>=<amount> … --duration <seconds>',
  about: [
    'Trades a basket in equal slices over time.',
    'tandem twap open --long BTC=5000 --short ETH=5000 --duration 600 --every 60',
  ],
  flags: [
    ...BASKET_FLAGS,
    {
      name: '--duration',
      kind: 'text',
      fields: ['durationSeconds'],
      value: '<seconds>',
      help: 'From 60 to 86400',
    },
    {
      name: '--every',
      kind: 'text',
      fields: ['intervalSeconds'],
      value: '<seconds>',
      help: 'Time between slices, from 5 to 3600 (30)',
    },
    {
      name: '--randomize',
      kind: 'switch',
      fields: ['randomize'],
      help: 'Slice times vary by ±10 % of the interval',
    },
    {
      name: '--reduce-only',
      kind: 'switch',
      fields: ['reduceOnly'],
      help: 'Only take out of what the account holds',
    },
    {
      name: '--go-on',
      kind: 'switch',
      fields: ['afterBracket'],
      help: 'Go on when its take-profit or stop-loss has closed what it opened (it ends)',
    },
    SLIPPAGE_FLAG,
    legFailureFlag('retry'),
    ...BRACKET_FLAGS,
    KEY_FLAG,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const key = keyOf(context);
    const readBasket = basketReader(context);
    const durationSeconds = wholeOf(context, '--duration', [60, 86_400]);
    if (durationSeconds === undefined) throw usage('--duration <seconds> is needed');
    const intervalSeconds = wholeOf(context, '--every', [5, 3_600]);
    const slippage = context.flags.texts.get('--slippage');
    checkSlippage(slippage);
    const brackets = openingBracketsOf(context);
    const { api, account } = await accountApi(context);
    const { legs, total } = await readBasket(api, account.connector);
    const body = {
      legs,
      ...total,
      ...brackets,
      durationSeconds,
      ...(intervalSeconds === undefined ? {} : { intervalSeconds }),
      ...(slippage === undefined ? {} : { slippage }),
      ...legFailureOf(context),
      randomize: isOn(context, '--randomize'),
      reduceOnly: isOn(context, '--reduce-only'),
      afterBracket: isOn(context, '--go-on') ? ('GO_ON' as const) : ('STOP' as const),
    };
    warnOfVenue(context, account);
    const answer = await sendOnce(key, 'tandem twap', (idempotencyKey) =>
      api.call('POST /schedules', { body, idempotencyKey }),
    );
    printAccountAnswer(context, account, answer, () => {
      const { id, status, sliceCount } = read('POST /schedules', answer);
      context.terminal.out(`TWAP ${id}  ${status}  ${sliceCount} slices`);
    });
    return 0;
  },
};

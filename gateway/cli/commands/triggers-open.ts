import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { read } from '../answers.ts';
import { BASKET_FLAGS, basketReader } from '../basket-flags.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import { BRACKET_FLAGS, conditionReader, openingBracketsOf, transformOf, WHEN_FLAG } from '../conditions.ts';
import { checkSlippage, SLIPPAGE_FLAG } from '../follow-execution.ts';
import { legFailureFlag, legFailureOf } from '../leg-failure.ts';
import { accountApi } from '../reach-gateway.ts';
import { EXPIRES_FLAG, KEY_FLAG, keyOf, sendOnce, waitsFor } from '../resting.ts';

export const command: Command = {
  usage: "triggers open --long <ticker>=<amount> … --when '<condition>'",
  about: [
    'Opens a basket once a condition of the market is met.',
    "tandem triggers open --long BTC=500 --short ETH=500 --when 'ratio<20'",
    'A ticker names its mark price; ratio is long ÷ short of a pair, weighted the ratio of the whole basket.',
    "tandem triggers open --long SOL=500 --short ETH=500 --when 'ratio<-2' --transform zscore --lookback 720",
  ],
  flags: [
    ...BASKET_FLAGS,
    WHEN_FLAG,
    SLIPPAGE_FLAG,
    legFailureFlag('retry; keep with one leg'),
    ...BRACKET_FLAGS,
    EXPIRES_FLAG,
    {
      name: '--now',
      kind: 'switch',
      fields: ['allowImmediate'],
      help: 'Fire at once if it is met already; else that is refused',
    },
    KEY_FLAG,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { texts } = context.flags;
    const key = keyOf(context);
    const readBasket = basketReader(context);
    const slippage = texts.get('--slippage');
    checkSlippage(slippage);
    const brackets = openingBracketsOf(context);
    const expiresAt = texts.get('--expires');
    const readCondition = conditionReader(texts.get('--when'), transformOf(context));
    const { api, account } = await accountApi(context);
    const { legs, total, idByTicker } = await readBasket(api, account.connector);
    const body = {
      legs,
      ...total,
      ...brackets,
      condition: readCondition(legs, idByTicker),
      allowImmediate: isOn(context, '--now'),
      ...(slippage === undefined ? {} : { slippage }),
      ...legFailureOf(context),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    warnOfVenue(context, account);
    const answer = await sendOnce(key, 'tandem triggers', (idempotencyKey) =>
      api.call('POST /triggers/open', { body, idempotencyKey }),
    );
    printAccountAnswer(context, account, answer, () => {
      const { id, status, ...trigger } = read('POST /triggers/open', answer);
      context.terminal.out(`Trigger ${id}  ${status}  ${waitsFor(trigger)}`);
    });
    return 0;
  },
};

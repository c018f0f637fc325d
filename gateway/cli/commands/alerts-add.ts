import { printAccountAnswer } from '../account-mark.ts';
import { read } from '../answers.ts';
import { split, tickersOf } from '../basket-flags.ts';
import { instrumentOf } from '../basket-legs.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import { conditionReader, TRANSFORM_FLAGS, transformOf, WHEN_FLAG } from '../conditions.ts';
import { accountApi } from '../reach-gateway.ts';
import { EXPIRES_FLAG, KEY_FLAG, keyOf, sendOnce, waitsFor } from '../resting.ts';

export const command: Command = {
  usage: "alerts add --when '<condition>' [--long <ticker> … --short <ticker> …]",
  about: [
    'Tells you once when a condition of the market is met, and trades nothing.',
    "tandem alerts add --when 'ETH>4000'",
    "tandem alerts add --long BTC --short ETH --when 'ratio>2' --transform zscore --lookback 720",
  ],
  flags: [
    WHEN_FLAG,
    {
      name: '--long',
      kind: 'list',
      fields: ['legs'],
      value: '<ticker>',
      help: 'A long leg of the ratio; repeatable',
    },
    {
      name: '--short',
      kind: 'list',
      fields: ['legs'],
      value: '<ticker>',
      help: 'A short leg of the ratio; repeatable',
    },
    ...TRANSFORM_FLAGS,
    EXPIRES_FLAG,
    {
      name: '--now',
      kind: 'switch',
      fields: ['allowImmediate'],
      help: 'Tell at once if it is met already; else that is refused',
    },
    KEY_FLAG,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { texts, lists } = context.flags;
    const key = keyOf(context);
    const expiresAt = texts.get('--expires');
    const readCondition = conditionReader(texts.get('--when'), transformOf(context));
    const { api, account } = await accountApi(context);
    const idByTicker = await tickersOf(api, account.connector);
    const legsOf = (flag: '--long' | '--short', side: 'BUY' | 'SELL') =>
      split(lists.get(flag)).map((name) => ({ symbol: instrumentOf(name, flag, idByTicker), side }));
    const body = {
      legs: [...legsOf('--long', 'BUY'), ...legsOf('--short', 'SELL')],
      condition: readCondition([], idByTicker),
      allowImmediate: isOn(context, '--now'),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    const answer = await sendOnce(key, 'tandem alerts', (idempotencyKey) =>
      api.call('POST /alerts', { body, idempotencyKey }),
    );
    printAccountAnswer(context, account, answer, () => {
      const { id, status, condition } = read('POST /alerts', answer);
      const words = waitsFor({ condition, bracket: null, bracketType: null });
      context.terminal.out(`Alert ${id}  ${status}  ${words}`);
    });
    return 0;
  },
};

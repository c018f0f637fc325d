import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import {
  checkSlippage,
  FOLLOW_FLAGS,
  followOptions,
  placeAndFollow,
  SLIPPAGE_FLAG,
} from '../follow-execution.ts';
import { CLOSING_FAILURE_FLAG, closingFailureOf } from '../leg-failure.ts';
import { openPosition } from '../open-position.ts';
import { printClosePlan } from '../print-execution.ts';
import { accountApi } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'close <position> [--fraction <0–1>]',
  about: [
    'Closes a position at market, or a fraction of every leg of it.',
    'A position is named by its id or by the beginning or end of it, as long as only one open position fits.',
  ],
  flags: [
    {
      name: '--fraction',
      kind: 'text',
      fields: ['fraction'],
      value: '<number>',
      help: 'Share to close, above 0 up to 1 (1)',
    },
    SLIPPAGE_FLAG,
    CLOSING_FAILURE_FLAG,
    { name: '--dry-run', kind: 'switch', help: 'Show what it would trade, cost and bring; order nothing' },
    ...FOLLOW_FLAGS,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [1, 1],
  async run(context) {
    const fraction = context.flags.texts.get('--fraction');
    if (fraction !== undefined && !/^(0\.\d{1,18}|1(\.0{1,18})?)$/.test(fraction)) {
      throw usage(`--fraction must be above 0 and at most 1, such as 0.5, not '${fraction}'`);
    }
    const slippage = context.flags.texts.get('--slippage');
    checkSlippage(slippage);
    const options = followOptions(context);
    const failure = closingFailureOf(context);
    const { api, account } = await accountApi(context);
    const position = await openPosition(api, context.flags.words[0] ?? '');
    const route = 'POST /positions/{id}/close';
    const params = { id: position.id };
    const common = {
      ...(fraction === undefined ? {} : { fraction }),
      ...(slippage === undefined ? {} : { slippage }),
    };
    if (isOn(context, '--dry-run')) {
      const planRoute = 'POST /positions/{id}/close/plan';
      const plan = read(planRoute, await api.call(planRoute, { params, body: common }));
      printAccountAnswer(context, account, plan, () => printClosePlan(context.terminal, plan));
      context.terminal.err('Dry run: nothing was ordered.');
      return plan.legs.every(({ problem }) => problem === null) ? 0 : 1;
    }
    const request = { params, body: { type: 'MARKET' as const, ...common, ...failure } };
    warnOfVenue(context, account);
    const send = (idempotencyKey: string) => api.call(route, { ...request, idempotencyKey });
    return placeAndFollow(context, { api, account }, options, route, send);
  },
};

import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { read } from '../answers.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import {
  checkSlippage,
  FOLLOW_FLAGS,
  followOptions,
  placeAndFollow,
  SLIPPAGE_FLAG,
} from '../follow-execution.ts';
import { openPosition } from '../open-position.ts';
import { printClosePlan, printPlan } from '../print-execution.ts';
import { accountApi } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'reverse <position>',
  about: [
    'Closes a position at market, and opens its opposite in the same quantities.',
    'Take-profits and stop-losses in percent or US dollars of profit carry over; a level of a price does not.',
  ],
  flags: [
    { name: '--drop-brackets', kind: 'switch', help: 'Carry no take-profit and no stop-loss over' },
    SLIPPAGE_FLAG,
    { name: '--dry-run', kind: 'switch', help: 'Show what both halves would trade and cost; order nothing' },
    ...FOLLOW_FLAGS,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [1, 1],
  async run(context) {
    const slippage = context.flags.texts.get('--slippage');
    checkSlippage(slippage);
    const options = followOptions(context);
    const { api, account } = await accountApi(context);
    const { id } = await openPosition(api, context.flags.words[0] ?? '');
    const route = 'POST /positions/{id}/reverse';
    const body = {
      brackets: isOn(context, '--drop-brackets') ? ('DROP' as const) : ('CARRY' as const),
      ...(slippage === undefined ? {} : { slippage }),
    };
    if (isOn(context, '--dry-run')) {
      const planRoute = 'POST /positions/{id}/reverse/plan';
      const plan = read(planRoute, await api.call(planRoute, { params: { id }, body }));
      printAccountAnswer(context, account, plan, () => {
        printClosePlan(context.terminal, plan.close);
        context.terminal.out('');
        printPlan(context.terminal, plan.open, plan.protection);
      });
      context.terminal.err('Dry run: nothing was ordered.');
      const problems = [...plan.open.problems, ...plan.close.legs.filter(({ problem }) => problem !== null)];
      return problems.length === 0 ? 0 : 1;
    }
    warnOfVenue(context, account);
    const send = (idempotencyKey: string) => api.call(route, { params: { id }, body, idempotencyKey });
    return placeAndFollow(context, { api, account }, options, route, send);
  },
};

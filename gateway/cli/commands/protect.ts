import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { type PositionAnswer, read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command } from '../command.ts';
import { BRACKET_FLAGS, bracketsOf } from '../conditions.ts';
import { openPosition } from '../open-position.ts';
import { firingWords, type ProtectionAnswer } from '../protection-words.ts';
import { accountApi } from '../reach-gateway.ts';
import { price } from '../readable-numbers.ts';
import { movedTo } from '../resting.ts';
import { renderFields } from '../table.ts';

type Set = PositionAnswer['takeProfit'];

export const command: Command = {
  usage: 'protect <position> [--take-profit <level>] [--stop-loss <level>]',
  about: [
    'Sets the take-profit and the stop-loss of a position, for the whole of it; none takes one away. What is not named stays.',
    'Levels: 5% or usd=50 of profit or loss, value=1050 of the position, price=, ratio= or weighted= of the basket.',
    'tandem protect ebb416914694 --take-profit 5% --stop-loss 3% --trail 1',
  ],
  flags: [...BRACKET_FLAGS, ACCOUNT_FLAG, ...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const body = bracketsOf(context);
    if (Object.keys(body).length === 0) throw usage('name --take-profit, --stop-loss or both');
    const { api, account } = await accountApi(context);
    const { id } = await openPosition(api, context.flags.words[0] ?? '');
    warnOfVenue(context, account);
    const answer = await api.call('PUT /positions/{id}/brackets', { params: { id }, body });
    // It may have closed since.
    const after = await api.call('GET /positions/{id}', { params: { id } });
    const { protection } = read('GET /positions/{id}', after);
    printAccountAnswer(context, account, answer, () => {
      const { takeProfit, stopLoss } = read('PUT /positions/{id}/brackets', answer);
      const firing = (kind: ProtectionAnswer['kind']) =>
        protection.filter((one) => one.kind === kind).map((one) => `, ${firingWords(one)}`);
      const lines = renderFields([
        ['position', id],
        ['take-profit', [levelOf(takeProfit), ...firing('TAKE_PROFIT')].join('')],
        ['stop-loss', [levelOf(stopLoss), ...firing('STOP_LOSS')].join('')],
      ]);
      for (const line of lines) context.terminal.out(line);
    });
    return 0;
  },
};

function levelOf(bracket: Set): string {
  if (bracket === null) return 'none';
  const trail = bracket.trailing ? `, trailing by ${price(bracket.trailing.delta)}` : '';
  return `${bracket.type} ${price(bracket.value)}${movedTo(bracket)}${trail}  ${bracket.status}`;
}

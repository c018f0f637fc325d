import { printAccountAnswer } from '../account-mark.ts';
import { read } from '../answers.ts';
import { oneOf, tickersOf } from '../basket-flags.ts';
import { instrumentOf } from '../basket-legs.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn, printList } from '../command.ts';
import { FAULT_COLUMNS, paperAccountApi } from '../paper-account.ts';
import { wholeOf } from '../resting.ts';

const KINDS = {
  reject: 'REJECT',
  partial: 'PARTIAL_FILL',
  fill: 'FILL',
  unknown: 'UNKNOWN_OUTCOME',
  stale: 'STALE_FEED',
} as const;

export const command: Command = {
  usage: 'paper fault <reject|partial|fill|unknown|stale>',
  about: [
    'Puts a fault on a paper account, to see what a bot does about it. It ends by itself.',
    'reject: the venue refuses the order. partial: a part fills, the rest is cancelled. fill: all of it fills at the mark.',
    'unknown: the answer is lost. stale: the venue sends no prices (this concerns all paper accounts there).',
  ],
  flags: [
    {
      name: '--symbol',
      kind: 'text',
      fields: ['symbol'],
      value: '<ticker>',
      help: 'Only this instrument (any)',
    },
    { name: '--times', kind: 'text', fields: ['times'], value: '<n>', help: 'So many orders, 1 to 1000 (1)' },
    {
      name: '--seconds',
      kind: 'text',
      fields: ['seconds'],
      value: '<n>',
      help: 'Ends after so long at the latest, 1 to 600 (60)',
    },
    {
      name: '--fraction',
      kind: 'text',
      fields: ['fraction'],
      value: '<share>',
      help: 'Of partial: what fills (0.5)',
    },
    {
      name: '--silent',
      kind: 'text',
      fields: ['silentSeconds'],
      value: '<seconds>',
      help: 'Of unknown: how long the venue says nothing, 0 to 30 (2)',
    },
    { name: '--lost', kind: 'switch', help: 'Of unknown: the order never arrived' },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [1, 1],
  async run(context) {
    const { texts, words } = context.flags;
    const kind = oneOf(words[0] ?? '', KINDS, 'the fault');
    const fraction = texts.get('--fraction');
    if (fraction !== undefined && kind !== 'PARTIAL_FILL') throw usage('--fraction belongs to partial');
    if (isOn(context, '--lost') && kind !== 'UNKNOWN_OUTCOME') throw usage('--lost belongs to unknown');
    const times = wholeOf(context, '--times', [1, 1_000]);
    if (times !== undefined && kind === 'STALE_FEED')
      throw usage('a stale feed ends by --seconds, not --times');
    const seconds = wholeOf(context, '--seconds', [1, 600]);
    const silence = wholeOf(context, '--silent', [0, 30]);
    if (silence !== undefined && kind !== 'UNKNOWN_OUTCOME') throw usage('--silent belongs to unknown');
    const silent = silence === undefined ? {} : { silentSeconds: silence };
    const { api, account } = await paperAccountApi(context);
    const named = texts.get('--symbol');
    const of = {
      ...(named === undefined
        ? {}
        : { symbol: instrumentOf(named, '--symbol', await tickersOf(api, account.connector)) }),
      ...(seconds === undefined ? {} : { seconds }),
    };
    const orders = { ...of, ...(times === undefined ? {} : { times }) };
    const body =
      kind === 'STALE_FEED'
        ? { kind, ...of }
        : kind === 'PARTIAL_FILL'
          ? { kind, fraction: fraction ?? '0.5', ...orders }
          : kind === 'UNKNOWN_OUTCOME'
            ? { kind, executed: !isOn(context, '--lost'), ...silent, ...orders }
            : { kind, ...orders };
    const answer = await api.call('POST /trade-accounts/{id}/paper/faults', {
      params: { id: account.id },
      body,
    });
    printAccountAnswer(context, account, answer, () =>
      printList(context, [read('POST /trade-accounts/{id}/paper/faults', answer)], FAULT_COLUMNS, ''),
    );
    return 0;
  },
};

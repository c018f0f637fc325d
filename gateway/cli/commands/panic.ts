import type { Call } from '../../client/route-types.ts';
import { read } from '../answers.ts';
import { CliError, usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, isOn, printAnswer, YES_FLAG } from '../command.ts';
import { startProgress } from '../progress.ts';
import { keyedApi } from '../reach-gateway.ts';
import { KEY_FLAG, keyOf, sendOnce, wholeOf } from '../resting.ts';
import { safetyLines } from '../safety-answer.ts';

const CONFIRM = 'CLOSE ALL';
const POLL_MS = 250;
const TIMEOUT_SECONDS = 60;

export const command: Command = {
  usage: 'panic',
  about: [
    'Pauses trading, cancels everything that waits and closes every position of all of your accounts.',
    'It asks first; --yes does without. Closing goes on in the gateway until everything is flat. `tandem resume` ends it.',
  ],
  flags: [
    YES_FLAG,
    { name: '--include-outside', kind: 'switch', help: 'Also close what was traded outside Tandem' },
    {
      name: '--wait',
      kind: 'switch',
      help: 'Wait until all is flat (the default; --wait=false returns at once)',
    },
    { name: '--timeout', kind: 'text', value: '<seconds>', help: `How long to wait (${TIMEOUT_SECONDS})` },
    KEY_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const key = keyOf(context);
    const seconds = wholeOf(context, '--timeout', [1, 86_400]) ?? TIMEOUT_SECONDS;
    const { call } = keyedApi(context);
    await makeSure(context);
    const body = { confirm: CONFIRM, includeOutside: isOn(context, '--include-outside') } as const;
    const told = await sendOnce(key, 'tandem status', (idempotencyKey) =>
      call('POST /safety/panic', { body, idempotencyKey }),
    );
    const report = read('POST /safety/panic', told);
    const wait = context.flags.switches.get('--wait') !== false;
    const safety = wait ? await untilFlat(context, call, seconds * 1000) : report.safety;
    const flat = safety.panic?.status === 'FLAT';
    printAnswer(context, { ...report, safety }, () => {
      const { terminal } = context;
      const cancelled = Object.values(report.cancelled).reduce((sum, count) => sum + count, 0);
      terminal.out(`Cancelled ${cancelled}, closing ${report.executions.length}.`);
      for (const line of safetyLines(safety)) terminal.out(line);
    });
    for (const { kind, id, message } of report.failures) context.terminal.err(`${kind} ${id}: ${message}`);
    if (wait && !flat) context.terminal.err('Not flat yet; the gateway goes on. See it with: tandem safety');
    return flat || !wait ? 0 : 1;
  },
};

async function makeSure(context: CommandContext): Promise<void> {
  if (isOn(context, '--yes')) return;
  if (!context.terminal.canAsk) throw usage('panic closes everything: say --yes where nobody can be asked');
  const said = await context.terminal.ask(
    `Close every position of all of your accounts? Type ${CONFIRM} to do it: `,
  );
  if (said.trim() !== CONFIRM) throw new CliError('nothing was closed');
}

async function untilFlat(context: CommandContext, call: Call, timeoutMs: number) {
  const { clock } = context;
  const progress = startProgress(context.terminal, clock, 'closing');
  const until = clock.now() + timeoutMs;
  try {
    for (;;) {
      const safety = read('GET /safety', await call('GET /safety'));
      const over = safety.panic === null || safety.panic.status !== 'CLOSING';
      if (over || clock.now() >= until || context.interrupted.aborted) return safety;
      progress.update(`closing, ${safety.panic?.left.length ?? 0} left`);
      await clock.sleep(POLL_MS);
    }
  } finally {
    progress.done();
  }
}

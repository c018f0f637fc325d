/** Waits for a change, so that an agent need not ask again and again. */
import { z } from 'zod';
import { accountsOf } from '../accounts.ts';
import { Refused } from '../ask.ts';
import { notFoundFault } from '../not-found.ts';
import { type Outcome, outcomeOut, outcomeText } from '../outcome.ts';
import { statusOf } from '../status.ts';
import { type ToolContext, tool } from '../tool.ts';
import { idInput } from './get-status.ts';

const MOST_SECONDS = 50;
/** Clients give up on a call that is silent for a minute; some show the progress. */
const PROGRESS_EVERY_MS = 5_000;

export const waitFor = tool({
  name: 'wait_for',
  title: 'Wait for a change',
  description:
    'As get_status, but answers when it changed or after `seconds`, whichever comes first. changed says which. At most 4 at a time.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z
    .object({
      id: idInput,
      seconds: z.int().min(1).max(MOST_SECONDS).default(30).describe('How long at most, 1 to 50'),
    })
    .strict(),
  output: outcomeOut.extend({ changed: z.boolean().describe('false: the time was up') }),
  async run(context, { id: given, seconds }) {
    const id = given.toLowerCase();
    const giveBack = context.waits.take();
    if (giveBack === null) throw tooMany();
    try {
      const { outcome, changed } = await waited(context, id, seconds);
      const lead = changed ? 'It changed.' : `No change in ${seconds} seconds.`;
      return { data: { ...outcome, changed }, text: `${outcomeText(outcome)}\n${lead}` };
    } finally {
      giveBack();
    }
  },
});

async function waited(
  context: ToolContext,
  id: string,
  seconds: number,
): Promise<{ readonly outcome: Outcome; readonly changed: boolean }> {
  const { changes, clock, signal, progress } = context;
  const accounts = new Set((await accountsOf(context.ask)).map((account) => account.id));
  const read = async () => {
    const outcome = await statusOf(context, id);
    if (outcome === null) throw notFoundFault(id);
    return outcome;
  };
  const began = clock.uptime();
  const until = began + seconds * 1_000;
  const first = await read();
  const before = JSON.stringify(first);
  let latest = first;
  while (!isFinal(latest) && clock.uptime() < until && !signal.aborted) {
    // Listening begins before the reading, so that no change in between is missed.
    const change = changes.next(accounts, Math.min(PROGRESS_EVERY_MS, until - clock.uptime()), signal);
    latest = await read();
    if (JSON.stringify(latest) !== before) return { outcome: latest, changed: true };
    await change;
    await progress(Math.round((clock.uptime() - began) / 1_000), seconds, `Waiting: ${latest.outcome}`);
  }
  return { outcome: latest, changed: JSON.stringify(latest) !== before };
}

const FINAL = new Set([
  'FILLED',
  'FAILED_NOTHING_TRADED',
  'FAILED_PARTLY_TRADED',
  'CANCELLED',
  'DENIED',
  'EXPIRED',
]);

/** True: the outcome cannot change any more, so the answer comes at once. */
function isFinal({ outcome, kind }: Outcome): boolean {
  // An alert orders nothing: its report ends it.
  if (kind === 'alert' && outcome === 'NOTHING_ORDERED') return true;
  return FINAL.has(outcome) && kind !== 'position';
}

function tooMany(): Error {
  return new Refused({
    ok: false,
    status: 409,
    code: 'RESOURCE_BUSY',
    message: 'You wait for four things already',
    details: {},
  });
}

/** The caller stops itself; only its user lets it go on. */
import { z } from 'zod';
import { Refused } from '../ask.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

export const pauseMe = tool({
  name: 'pause_me',
  title: 'Stop me',
  description:
    'Stops your own trading until your user resumes it: nothing of you opens any more, what closes goes on. Call it when you are not sure what you are doing.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  trades: true,
  input: z
    .object({ reason: z.string().min(1).max(200).describe('Why, one sentence; the user reads it') })
    .strict(),
  output: z.object({ paused: z.literal(true), until: z.string(), next: z.string() }),
  async run({ principal, suspend }, { reason }) {
    if (suspend === null || !suspend(principal, untrusted(reason))) throw notThere();
    const next =
      'Tell your user that you have stopped, and why. Only they can resume you, on the dashboard under Agents.';
    return {
      data: { paused: true as const, until: 'the user resumes it', next },
      text: `PAUSED: nothing of you opens until the user resumes it. Next: ${next}`,
    };
  },
});

function notThere(): Refused {
  return new Refused({
    ok: false,
    status: 501,
    code: 'NOT_IMPLEMENTED_ERROR',
    message: 'This gateway cannot suspend a connection: cancel what waits instead, and order nothing',
    details: {},
  });
}

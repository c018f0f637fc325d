/**
 * What the gateway and the desktop app that started it say to each other, over the channel between the two processes.
 * Nothing of trading is here: that goes over HTTP, as everywhere.
 */
import * as z from 'zod/mini';

/** What ends or waits for nobody when the gateway stops. */
const workInHand = z.strictObject({
  /** Executions that have not ended. */
  executions: z.int().check(z.nonnegative()),
  /** Orders that rest at a venue: it keeps them, but nobody follows their fills meanwhile. */
  orders: z.int().check(z.nonnegative()),
  /** Triggers, ladders and schedules: watched only while the gateway runs. */
  waiting: z.int().check(z.nonnegative()),
});
export type WorkInHand = z.infer<typeof workInHand>;

export const fromGateway = z.discriminatedUnion('kind', [
  /** It has reconciled and accepts orders. */
  z.strictObject({
    kind: z.literal('ready'),
    url: z.string(),
    /** Origin of the pages in a browser: `http://tandem.localhost:7391`. */
    pageOrigin: z.string(),
    /** Key of the proof, new at every start; nobody else has it but who may read the data folder. */
    nonce: z.string().check(z.minLength(16)),
    pid: z.int(),
    version: z.string(),
    /** `PAPER` or `LIVE`. */
    mode: z.string(),
    /** What the gateway's first user needs, while it has none. */
    setupCode: z.optional(z.nullable(z.string())),
  }),
  /** It could not start and ends now; `message` is for the person. */
  z.strictObject({
    kind: z.literal('failed'),
    message: z.string(),
    exitCode: z.int(),
    /** Pages of the gateway that runs already on the same data folder: `http://tandem.localhost:7391/`; else null. */
    elsewhere: z.nullable(z.string().check(z.regex(/^http:\/\/[a-z0-9.-]+:\d{1,5}\/$/))),
  }),
  /** A person's browser has come to the consent page of an open request. */
  z.strictObject({ kind: z.literal('consent'), uid: z.string().check(z.maxLength(128)) }),
  z.strictObject({ kind: z.literal('work'), id: z.int(), work: workInHand }),
]);
export type FromGateway = z.infer<typeof fromGateway>;

export const toGateway = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stop') }),
  z.strictObject({ kind: z.literal('ask-work'), id: z.int() }),
  /** The machine was asleep. */
  z.strictObject({ kind: z.literal('woke') }),
]);
export type ToGateway = z.infer<typeof toGateway>;

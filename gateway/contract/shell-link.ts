/**
 * Messages between the gateway and the desktop app that started it, over the channel between the two processes.
 * Trading does not use this channel: it goes over HTTP, as for every client.
 */
import * as z from 'zod/mini';

/** Counts of the work that a stop of the gateway interrupts or leaves unwatched. */
const workInHand = z.strictObject({
  /** Executions that have not ended. */
  executions: z.int().check(z.nonnegative()),
  /** Orders that rest at a venue: the venue keeps them, but the gateway does not follow their fills while it is off. */
  orders: z.int().check(z.nonnegative()),
  /** Triggers, ladders and schedules: watched only while the gateway runs. */
  waiting: z.int().check(z.nonnegative()),
});
export type WorkInHand = z.infer<typeof workInHand>;

export const fromGateway = z.discriminatedUnion('kind', [
  /** The gateway has reconciled with its venues and accepts orders. */
  z.strictObject({
    kind: z.literal('ready'),
    url: z.string(),
    /** Origin of the pages in a browser: `http://tandem.localhost:7391`. */
    pageOrigin: z.string(),
    /**
     * Key with which the gateway proves its identity, new at every start; apart from the shell, only readers of
     * the data folder know it.
     */
    nonce: z.string().check(z.minLength(16)),
    pid: z.int(),
    version: z.string(),
    /** Code with which the gateway's first user registers; null or absent where none is needed. */
    setupCode: z.optional(z.nullable(z.string())),
  }),
  /** The gateway could not start and is about to exit; `message` is for the person. */
  z.strictObject({
    kind: z.literal('failed'),
    message: z.string(),
    exitCode: z.int(),
    /** Address of a gateway already running on the same data folder (`http://tandem.localhost:7391/`); null: none. */
    elsewhere: z.nullable(z.string().check(z.regex(/^http:\/\/[a-z0-9.-]+:\d{1,5}\/$/))),
  }),
  /** A person's browser has come to the consent page of an open request. */
  z.strictObject({ kind: z.literal('consent'), uid: z.string().check(z.maxLength(128)) }),
  /** An order waits for its user's approval. */
  z.strictObject({ kind: z.literal('approval'), id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)) }),
  z.strictObject({ kind: z.literal('work'), id: z.int(), work: workInHand }),
]);
export type FromGateway = z.infer<typeof fromGateway>;

export const toGateway = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stop') }),
  z.strictObject({ kind: z.literal('ask-work'), id: z.int() }),
  /** The machine woke from sleep. */
  z.strictObject({ kind: z.literal('woke') }),
]);
export type ToGateway = z.infer<typeof toGateway>;

/**
 * Recent refusals by the mandates of a user's agents and keys, so that the user sees the attempts. One list per user,
 * kept as a setting. It is written at most once a second, so an agent that keeps trying costs one write a second and
 * not one per request. A death of the process loses at most that second and no order, because there was none.
 */
import { z } from 'zod';
import type { BrokenLimit } from '../domain/mandate.ts';
import type { BoundMandate } from '../engine/ports/mandate-book.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';

/** Lines kept of one user; the oldest go. */
const MOST = 200;
/** A repetition within this time is counted on the line that is there. */
const SAME_FOR_MS = 60_000;
const WRITE_EVERY_MS = 1_000;

const attempt = z.object({
  holderId: z.string(),
  /** Epoch ms of the first and of the last one. */
  at: z.number(),
  lastAt: z.number(),
  count: z.number(),
  /** `POST /trade/open` */
  route: z.string(),
  tradeAccountId: z.string().nullable(),
  message: z.string(),
  limits: z.array(
    z.object({
      limit: z.string(),
      allowed: z.string().nullable(),
      used: z.string().nullable(),
      asked: z.string().nullable(),
    }),
  ),
  /** Legs as they were named; empty: it names none. */
  legs: z.array(z.object({ symbol: z.string(), side: z.enum(['BUY', 'SELL']) })),
  /** Why the agent wanted it, in its own words. */
  says: z.string().nullable(),
  /** True: it was only previewed. */
  preview: z.boolean().default(false),
});
export type RefusedAttempt = Readonly<z.infer<typeof attempt>>;
const kept = z.array(attempt);

export interface Refused {
  readonly route: string;
  readonly tradeAccountId: string | null;
  readonly message: string;
  readonly limits: readonly BrokenLimit[];
  readonly body: unknown;
  readonly says: string | null;
  /** It was only previewed. Default false. */
  readonly preview?: boolean;
}

export type RefusedAttempts = ReturnType<typeof createRefusedAttempts>;

export function createRefusedAttempts({
  store,
  clock,
  logger,
}: {
  readonly store: Pick<Store, 'setting' | 'commit'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly logger: Pick<Logger, 'warn'>;
}) {
  /** Newest first, by user. */
  const lists = new Map<string, Promise<RefusedAttempt[]>>();
  const waiting = new Set<string>();
  const nameOf = (userId: string) => `refused-attempts:${userId}`;

  function listOf(userId: string): Promise<RefusedAttempt[]> {
    const known = lists.get(userId);
    if (known !== undefined) return known;
    const read = store.setting(nameOf(userId)).then((text) => {
      const list = text === null ? null : kept.safeParse(JSON.parse(text));
      return list?.success === true ? list.data : [];
    });
    lists.set(userId, read);
    read.catch(() => lists.delete(userId));
    return read;
  }

  async function write(userId: string): Promise<void> {
    waiting.delete(userId);
    const value = JSON.stringify(await listOf(userId));
    const saved = await store.commit({ settings: [{ key: nameOf(userId), value }] });
    if (!saved.ok) logger.warn({ error: saved.error.message }, 'Refused attempts were not kept');
  }

  function writeSoon(userId: string): void {
    if (waiting.has(userId)) return;
    waiting.add(userId);
    clock.after(WRITE_EVERY_MS, () => {
      if (!waiting.has(userId)) return;
      write(userId).catch((error: unknown) => logger.warn({ error }, 'Refused attempts were not kept'));
    });
  }

  return {
    /** Writes pending lines. Call before the store closes. */
    async close(): Promise<void> {
      await Promise.all([...waiting].map(write));
    },
    /** Newest first. */
    async of(userId: string, holderId: string): Promise<readonly RefusedAttempt[]> {
      return (await listOf(userId)).filter((one) => one.holderId === holderId);
    },
    /** Never rejects: the refusal stands even if it cannot be written down. */
    async note({ holder, userId }: BoundMandate, refused: Refused): Promise<void> {
      try {
        const list = await listOf(userId);
        const now = clock.now();
        const { body, limits, preview = false, ...named } = refused;
        const legs = legsOf(body);
        const index = list.findIndex(
          (one) =>
            one.holderId === holder.id &&
            one.route === refused.route &&
            one.message === refused.message &&
            one.preview === preview &&
            now - one.lastAt < SAME_FOR_MS,
        );
        const same = list[index];
        const line =
          same === undefined
            ? {
                ...named,
                preview,
                legs,
                holderId: holder.id,
                at: now,
                lastAt: now,
                count: 1,
                limits: [...limits],
              }
            : { ...same, lastAt: now, count: same.count + 1 };
        if (same !== undefined) list.splice(index, 1);
        list.unshift(line);
        list.length = Math.min(list.length, MOST);
        writeSoon(userId);
      } catch (error) {
        logger.warn({ error }, 'A refused attempt was not noted');
      }
    },
  };
}

const MOST_LEGS = 20;
const leg = z.object({ symbol: z.string().max(64), side: z.enum(['BUY', 'SELL']) });

function legsOf(body: unknown): RefusedAttempt['legs'] {
  const legs: unknown = body !== null && typeof body === 'object' && 'legs' in body ? body.legs : null;
  if (!Array.isArray(legs)) return [];
  return legs.slice(0, MOST_LEGS).flatMap((one) => {
    const read = leg.safeParse(one);
    return read.success ? [read.data] : [];
  });
}

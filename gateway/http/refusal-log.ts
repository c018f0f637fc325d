/**
 * Log of refusals that somebody may have provoked on purpose (no or wrong credential, no right, a strange host or
 * origin, invalid input), and of requests that failed for a known reason, which callers repeat. The first of a kind is
 * logged at once, then their number, at most once a minute, so that a flood is one line.
 */
import type { Clock, Logger } from '../engine/ports/system.ts';

const EVERY_MS = 60_000;
/** Maximum kinds of refusal remembered; the logged refusals have fewer texts. */
const MAX_KINDS = 64;
const STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 413, 415, 421, 500]);

interface Kind {
  loggedAt: number;
  unsaid: number;
}

/** @param kind text or code, of which there are few */
export type NoteRefusal = (
  status: number,
  kind: string,
  request: { readonly method: string; readonly path: string; readonly message?: string },
) => void;

export function createRefusalLog(deps: {
  readonly clock: Pick<Clock, 'uptime'>;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}): NoteRefusal {
  const { clock, logger } = deps;
  const kinds = new Map<string, Kind>();
  return (status, kind, { method, path, message }) => {
    if (!STATUSES.has(status)) return;
    const name = `${status} ${kind}`;
    const now = clock.uptime();
    const before = kinds.get(name);
    if (before !== undefined && now - before.loggedAt < EVERY_MS) {
      before.unsaid += 1;
      return;
    }
    if (before === undefined && kinds.size >= MAX_KINDS) return;
    // The logged path is that of this request; the paths of the other refusals counted here are not kept.
    const fields = { status, method, path, before: before?.unsaid ?? 0 };
    if (status === 500) logger.error({ ...fields, errorCode: kind }, message ?? kind);
    else logger.info(fields, `Refused: ${kind}`);
    kinds.set(name, { loggedAt: now, unsaid: 0 });
  };
}

/**
 * Log of refusals that somebody may have provoked on purpose (no or wrong credential, no right, a strange host or
 * origin, invalid input): the first of a kind at once, then their number, at most once a minute, so that a flood is one
 * line.
 */
import type { Clock, Logger } from '../engine/ports/system.ts';

const EVERY_MS = 60_000;
/** Maximum kinds of refusal remembered; the logged refusals have fewer texts. */
const MAX_KINDS = 64;
const STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 413, 415, 421]);

interface Kind {
  loggedAt: number;
  unsaid: number;
}

export type NoteRefusal = (
  status: number,
  message: string,
  request: { readonly method: string; readonly path: string },
) => void;

export function createRefusalLog(deps: {
  readonly clock: Pick<Clock, 'uptime'>;
  readonly logger: Pick<Logger, 'info'>;
}): NoteRefusal {
  const { clock, logger } = deps;
  const kinds = new Map<string, Kind>();
  return (status, message, { method, path }) => {
    if (!STATUSES.has(status)) return;
    const name = `${status} ${message}`;
    const now = clock.uptime();
    const kind = kinds.get(name);
    if (kind !== undefined && now - kind.loggedAt < EVERY_MS) {
      kind.unsaid += 1;
      return;
    }
    if (kind === undefined && kinds.size >= MAX_KINDS) return;
    // The logged path is that of this request; the paths of the other refusals counted here are not kept.
    logger.info({ status, method, path, before: kind?.unsaid ?? 0 }, `Refused: ${message}`);
    kinds.set(name, { loggedAt: now, unsaid: 0 });
  };
}

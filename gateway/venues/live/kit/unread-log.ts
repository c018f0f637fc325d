/** Logs messages and entries of a venue that are not as described, once a minute for each kind: streams repeat themselves. */
import type { Clock, Logger } from '../../../engine/ports/system.ts';

const EVERY_MS = 60_000;

export type NoteUnread = (what: string, reason: string, count?: number) => void;

/** @param venue name for the log */
export function createUnreadLog(clock: Clock, logger: Logger, venue: string): NoteUnread {
  const noted = new Map<string, { at: number; count: number }>();
  return (what, reason, count = 1) => {
    const known = noted.get(what) ?? { at: Number.NEGATIVE_INFINITY, count: 0 };
    known.count += count;
    noted.set(what, known);
    if (clock.uptime() - known.at < EVERY_MS) return;
    logger.warn({ what, reason, count: known.count }, `${venue} sent something that is not as described`);
    known.at = clock.uptime();
    known.count = 0;
  };
}

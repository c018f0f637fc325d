/**
 * Refused sign-ins of existing users, for the audit log, where guessing becomes visible. One entry a minute for each
 * user and sign-in method is enough for that, and guessing cannot fill the disk. The answer does not wait for the
 * entry: a slower answer would reveal that the e-mail exists.
 */
import type { Clock } from '../engine/ports/system.ts';
import type { AuditTrail, Origin } from './audit.ts';
import type { AuthStore } from './auth-store.ts';

const ONE_EVERY_MS = 60_000;

export interface RefusedSignIns {
  note(userId: string, origin: Origin): void;
}

export function createRefusedSignIns(options: {
  readonly store: Pick<AuthStore, 'commit'>;
  readonly audit: AuditTrail;
  readonly clock: Pick<Clock, 'now'>;
}): RefusedSignIns {
  const { store, audit, clock } = options;
  /** Time of the last entry by user and sign-in method: bounded by the number of users. */
  const notedAt = new Map<string, number>();

  return {
    note(userId, origin) {
      const now = clock.now();
      const key = `${userId} ${origin.method}`;
      const last = notedAt.get(key);
      if (last !== undefined && now >= last && now - last < ONE_EVERY_MS) return;
      notedAt.set(key, now);
      void store
        .commit({ audit: [audit.entry(userId, 'session.refused', null, origin)] })
        .then((committed) => {
          if (!committed.ok) notedAt.delete(key);
        });
    },
  };
}

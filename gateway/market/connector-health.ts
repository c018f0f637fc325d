/**
 * A connector's status for the whole gateway: the venue's own status, but DEGRADED where a venue that says UP has
 * sent no market data for `STALE_AFTER_MS`. The change is announced when it happens, not at the next request. Silence
 * is measured on the monotonic clock.
 */
import type { Clock, Unsubscribe } from '../engine/ports/system.ts';
import type { Venue } from '../engine/ports/venue.ts';
import type { ConnectorStatus } from '../engine/ports/venue-status.ts';

/** Age in ms above which a price is not good enough to size an order with. */
export const STALE_AFTER_MS = 5_000;

export interface ConnectorHealth {
  status(): ConnectorStatus;
  /** To be called when market data has arrived. */
  alive(): void;
  close(): void;
}

export function createConnectorHealth(venue: Venue, clock: Clock, changed: () => void): ConnectorHealth {
  let lastUpdateAt = clock.uptime();
  let announcedSilent = false;
  let cancelCheck: Unsubscribe = () => {};

  /** Milliseconds since the connector became silent (no data for `STALE_AFTER_MS`); null: it is not silent. */
  function silentFor(): number | null {
    const beyond = clock.uptime() - lastUpdateAt - STALE_AFTER_MS;
    return beyond > 0 ? beyond : null;
  }

  function check(): void {
    const waitMs = lastUpdateAt + STALE_AFTER_MS - clock.uptime();
    if (waitMs >= 0) {
      cancelCheck = clock.after(waitMs + 1, check);
      return;
    }
    // The silence is announced once; the next update starts the check again.
    announcedSilent = true;
    changed();
  }

  cancelCheck = clock.after(STALE_AFTER_MS + 1, check);
  const stopStatus = venue.onStatus(changed);

  return {
    status() {
      const own = venue.status();
      const silent = silentFor();
      if (own.status !== 'UP' || silent === null) return own;
      const since = Math.round(clock.now() - silent);
      return { ...own, status: 'DEGRADED', since, reason: 'No market data for more than 5 seconds' };
    },
    alive() {
      lastUpdateAt = clock.uptime();
      if (!announcedSilent) return;
      announcedSilent = false;
      cancelCheck = clock.after(STALE_AFTER_MS + 1, check);
      changed();
    },
    close() {
      cancelCheck();
      stopStatus();
    },
  };
}

/** Status of a connector, and the listeners to its changes. */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { ConnectorStatus } from '../../../engine/ports/venue-status.ts';

export class StatusBoard {
  private readonly clock: Clock;
  private readonly listeners = new Set<(status: ConnectorStatus) => void>();
  private value: ConnectorStatus;

  constructor(clock: Clock) {
    this.clock = clock;
    this.value = { status: 'DOWN', since: clock.now(), reason: 'not started' };
  }

  get current(): ConnectorStatus {
    return this.value;
  }

  get isUp(): boolean {
    return this.value.status === 'UP';
  }

  set(status: ConnectorStatus['status'], reason: string | null): void {
    if (this.value.status === status && this.value.reason === reason) return;
    this.value = { status, since: this.clock.now(), reason };
    for (const listener of [...this.listeners]) listener(this.value);
  }

  listen(listener: (status: ConnectorStatus) => void): Unsubscribe {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

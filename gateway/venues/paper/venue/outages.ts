/** Outages that a fault script asks for: of the venue, of its account streams, of one account. */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import { historyLength, type PaperAccount } from '../accounts/account-state.ts';
import type { AccountStreams } from '../accounts/account-streams.ts';
import type { StatusBoard } from '../accounts/status-board.ts';
import { longestOf } from './fault-effects.ts';
import type { BatchFaults } from './faults.ts';

export class Outages {
  readonly #clock: Clock;
  readonly #board: StatusBoard;
  readonly #streams: AccountStreams;
  #cancel: Unsubscribe = () => undefined;
  /** History items of an account from `from` on are withheld until the time `until`. */
  #withheld = { account: '', from: 0, until: 0 };

  constructor(clock: Clock, board: StatusBoard, streams: AccountStreams) {
    this.#clock = clock;
    this.#board = board;
    this.#streams = streams;
  }

  goDown(forMs: number): void {
    this.#streams.disconnect();
    this.#board.set('DOWN', 'fault script');
    this.#cancel = this.#clock.after(forMs, () => {
      this.#board.set('UP', null);
      this.#streams.reconnect();
    });
  }

  /** Begins what the script's actions for a batch ask for, before the batch is executed. */
  begin(script: BatchFaults | null, account: PaperAccount): void {
    const lateMs = longestOf(script, 'late_history');
    if (lateMs > 0)
      this.#withheld = {
        account: account.id,
        from: historyLength(account),
        until: this.#clock.now() + lateMs,
      };
    const cutMs = longestOf(script, 'disconnect_stream');
    if (cutMs > 0) {
      this.#streams.disconnect();
      this.#cancel = this.#clock.after(cutMs, () => this.#streams.reconnect());
    }
    const silentMs = longestOf(script, 'silent_account');
    if (silentMs > 0) {
      this.#streams.silence(account.id);
      this.#clock.after(silentMs, () => this.#streams.speak(account.id));
    }
  }

  /** Number of history items that are handed out now. */
  toldHistory(account: PaperAccount): number {
    const { account: id, from, until } = this.#withheld;
    return id === account.id && this.#clock.now() < until ? from : historyLength(account);
  }

  /** Leaves the venue as it is now. */
  cancel(): void {
    this.#cancel();
  }
}

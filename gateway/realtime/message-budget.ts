/**
 * Limit of one client's messages: a bucket of messages and one of bytes, each refilled evenly (token bucket). Programs
 * subscribe, authenticate and ping; a client that sends far more only keeps the gateway busy.
 */
const BURST_MESSAGES = 500;
const MESSAGES_PER_SECOND = 50;
/** Room for four messages of the largest size. */
const BURST_BYTES = 256 * 1024;
const BYTES_PER_SECOND = 32 * 1024;

export class MessageBudget {
  #messages = BURST_MESSAGES;
  #bytes = BURST_BYTES;
  #filledAt: number;

  /** @param now epoch ms */
  constructor(now: number) {
    this.#filledAt = now;
  }

  /** False: the message exceeds the client's budget of messages or bytes. */
  take(bytes: number, now: number): boolean {
    // A clock that was set back refills nothing.
    const seconds = Math.max(0, now - this.#filledAt) / 1_000;
    this.#filledAt = now;
    this.#messages = Math.min(BURST_MESSAGES, this.#messages + seconds * MESSAGES_PER_SECOND) - 1;
    this.#bytes = Math.min(BURST_BYTES, this.#bytes + seconds * BYTES_PER_SECOND) - bytes;
    return this.#messages >= 0 && this.#bytes >= 0;
  }
}

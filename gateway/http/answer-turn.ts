/**
 * Answers that are ready in one turn of the event loop are written a few together, the last of them at its end. A write to
 * a client that sleeps wakes it, which costs several times the write itself; of a few only the first one pays for it, and
 * the client reads them while the next are made.
 */
export interface Answerable {
  writeAnswer(): void;
}

const TOGETHER = 4;

export class AnswerTurn {
  /** The last turn had several answers, so this one is likely to: the first waits for others. */
  #several = false;
  #count = 0;
  #waiting: Answerable[] = [];
  readonly #end = () => {
    this.#several = this.#count > 1;
    this.#count = 0;
    this.#write();
  };

  /** Written at once where answers come one at a time. */
  answer(exchange: Answerable): void {
    this.#count += 1;
    if (this.#count === 1) setImmediate(this.#end);
    if (!this.#several) {
      exchange.writeAnswer();
      return;
    }
    this.#waiting.push(exchange);
    if (this.#waiting.length === TOGETHER) this.#write();
  }

  #write(): void {
    const answers = this.#waiting;
    this.#waiting = [];
    for (const answer of answers) answer.writeAnswer();
  }
}

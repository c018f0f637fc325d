/**
 * Answers that are ready in one turn of the event loop are written together at its end. A write to a client that sleeps
 * wakes it, which costs several times the write itself; in a burst only the first one pays for it.
 */
export interface Answerable {
  writeAnswer(): void;
}

export class AnswerTurn {
  /** The last turn had several answers, so this one is likely to: the first waits for the others. */
  #several = false;
  #count = 0;
  #waiting: Answerable[] = [];
  readonly #end = () => {
    const answers = this.#waiting;
    this.#waiting = [];
    this.#several = this.#count > 1;
    this.#count = 0;
    for (const answer of answers) answer.writeAnswer();
  };

  /** Written at once where answers come one at a time. */
  answer(exchange: Answerable): void {
    this.#count += 1;
    if (this.#count === 1) setImmediate(this.#end);
    if (this.#several) this.#waiting.push(exchange);
    else exchange.writeAnswer();
  }
}

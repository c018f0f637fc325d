/** Answers cached for a moment, by key. */

interface Kept<T> {
  readonly answer: Promise<T>;
  /** Time of the answer by `uptime`; null: under way. */
  answeredAt: number | null;
}

/**
 * Shares an answer with all callers while the request is under way and until `freshMs` after it. A failed one is kept
 * as long.
 * @param uptime ms of a clock that is never set
 * @param most keys kept; with more, all are forgotten
 */
export function keptAnswers<T>(
  uptime: () => number,
  freshMs: number,
  most: number,
): (key: string, ask: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Kept<T>>();
  return (key, ask) => {
    const known = kept.get(key);
    const isFresh = (at: number | null) => at === null || uptime() - at < freshMs;
    if (known !== undefined && isFresh(known.answeredAt)) return known.answer;
    if (kept.size >= most) kept.clear();
    const asked: Kept<T> = { answer: ask(), answeredAt: null };
    kept.set(key, asked);
    const ended = () => {
      asked.answeredAt = uptime();
    };
    void asked.answer.then(ended, ended);
    return asked.answer;
  };
}

/** Two-key shortcuts: `g`, then a letter. Handlers of single letters ignore the second key. */
const SECOND_KEY_MS = 1_200;
let firstAt = Number.NEGATIVE_INFINITY;

/** Notes the time of the first key. @param at time stamp of its event; null: the sequence has ended */
export function noteFirstKey(at: number | null): void {
  firstAt = at ?? Number.NEGATIVE_INFINITY;
}

export function isSecondKey({ timeStamp }: Pick<KeyboardEvent, 'timeStamp'>): boolean {
  return timeStamp - firstAt < SECOND_KEY_MS;
}

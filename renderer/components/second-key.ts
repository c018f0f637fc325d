/** Keys that are pressed one after the other: `g`, then a letter. Who acts on a single letter leaves the second one alone. */
const SECOND_KEY_MS = 1_200;
let firstAt = Number.NEGATIVE_INFINITY;

/** Notes the first key, or its end after the second. @param at time stamp of its event; null: it is over */
export function noteFirstKey(at: number | null): void {
  firstAt = at ?? Number.NEGATIVE_INFINITY;
}

export function isSecondKey({ timeStamp }: Pick<KeyboardEvent, 'timeStamp'>): boolean {
  return timeStamp - firstAt < SECOND_KEY_MS;
}

/** Letters belong to what has the focus: they are typed, or find an option. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest(
        'input, textarea, select, [role="dialog"], [role="menu"], [role="combobox"], [role="listbox"]',
      ) !== null)
  );
}

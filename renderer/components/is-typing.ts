/** True: the focused element takes letters, as text or to find an option, so they are not shortcuts of the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest(
        'input, textarea, select, [role="dialog"], [role="menu"], [role="combobox"], [role="listbox"]',
      ) !== null)
  );
}

/** Elements that take keys first. A closed list of choices stays in the page, hidden. */
const OPEN = '[role="dialog"], [role="menu"], [role="listbox"]';

/** True: a dialog, a menu or a list of choices is open, wherever the focus is. */
export function isAnythingOpen(): boolean {
  return [...document.querySelectorAll(OPEN)].some((one) => one.checkVisibility());
}

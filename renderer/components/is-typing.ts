/** Whether a letter belongs to what has the focus: it is typed or finds an option there, and is no shortcut of the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest(
        'input, textarea, select, [role="dialog"], [role="menu"], [role="combobox"], [role="listbox"]',
      ) !== null)
  );
}

/** What takes keys first. A list of choices stays in the page, unseen. */
const OPEN = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Whether a dialog, a menu or a list of choices is open, wherever the focus is. */
export function isAnythingOpen(): boolean {
  return [...document.querySelectorAll(OPEN)].some((one) => one.checkVisibility());
}

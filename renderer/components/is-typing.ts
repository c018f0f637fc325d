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

/** Cells of a table whose text cannot be read whole. */
import type { Page } from 'playwright-core';

interface Seen {
  /** Each cell with the name above it. */
  readonly said: readonly string[];
  readonly hidden: readonly string[];
}

/** Texts in the cells of a table's first row, and those that cannot be read whole. */
export const seenIn = (page: Page, table: string) =>
  page.evaluate<Seen>(`(() => {
  const row = document.querySelector('table[aria-label="${table}"] tr[data-row]');
  const said = [];
  const hidden = [];
  const frame = row.closest('table').parentElement.getBoundingClientRect();
  for (const cell of row.querySelectorAll('td')) {
    const text = cell.textContent.trim();
    if (text === '' || !cell.checkVisibility()) continue;
    said.push(cell.dataset.name + ' ' + text);
    const range = document.createRange();
    range.selectNodeContents(cell);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      const isOut = box.left < frame.left || box.right > frame.right + 1;
      const there = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2)[0];
      if (isOut || !(cell.contains(there) || there?.contains(cell))) hidden.push(text);
    }
  }
  return { said, hidden: [...new Set(hidden)] };
})()`);

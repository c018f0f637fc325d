/**
 * Window of drawn rows in a long table: the visible rows and a few around them. All rows have one measured height; an
 * expanded part below a row has its own.
 */
import { type RefCallback, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Expanded parts below rows, in the order of the rows. */
export interface Opened {
  readonly index: number;
  readonly px: number;
}

export interface RowWindow {
  /** Ref for the scrolling element. */
  readonly frameRef: RefCallback<HTMLDivElement>;
  readonly frame: RefObject<HTMLDivElement | null>;
  /** Indices of the drawn rows; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Height of the undrawn rows above and below, px. */
  readonly above: number;
  readonly below: number;
  /** Widths of the frame and of its table, px. */
  readonly widths: { readonly frame: number; readonly table: number };
  /** Scrolls just far enough to bring the row into view, below the header. */
  scrollTo(index: number): void;
}

const OVERSCAN = 8;
/** The window moves in steps of this many rows, so that not every scrolled pixel causes a render. */
const STEP = 4;

/** Offset of a row from the first row's top, px. */
function topOf(index: number, rowPx: number, opened: readonly Opened[]): number {
  return opened.reduce((top, one) => (one.index < index ? top + one.px : top), index * rowPx);
}

/** Index of the row at this offset; its expanded part counts as part of the row. */
function rowAt(top: number, rowPx: number, opened: readonly Opened[]): number {
  let extra = 0;
  for (const { index, px } of opened) {
    if (top < (index + 1) * rowPx + extra) break;
    if (top < (index + 1) * rowPx + extra + px) return index;
    extra += px;
  }
  return Math.floor((top - extra) / rowPx);
}

/** px; 0 without a row. */
function rowHeight(frame: HTMLElement | null): number {
  return frame?.querySelector('tr[data-row]')?.getBoundingClientRect().height ?? 0;
}

/** @param usualPx height of a row until one was measured */
export function useRowWindow(count: number, usualPx: number, opened: readonly Opened[]): RowWindow {
  const frame = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState({ usualPx, px: usualPx });
  // A change of density changes the height of a row.
  const rowPx = measured.usualPx === usualPx ? measured.px : usualPx;
  const [height, setHeight] = useState(0);
  const [widths, setWidths] = useState({ frame: 0, table: 0 });
  const [step, setStep] = useState(0);
  const stepPx = STEP * rowPx;
  const stepNow = useRef(stepPx);
  useLayoutEffect(() => {
    stepNow.current = stepPx;
    setStep(Math.floor((frame.current?.scrollTop ?? 0) / stepPx));
  }, [stepPx]);

  const frameRef = useCallback((element: HTMLDivElement) => {
    frame.current = element;
    // For the style: marks that columns are out of view to the right.
    const markMore = () =>
      element.toggleAttribute(
        'data-more',
        element.scrollWidth - element.clientWidth - element.scrollLeft > 1,
      );
    const onScroll = () => {
      setStep(Math.floor(element.scrollTop / stepNow.current));
      markMore();
    };
    const onSize = () => {
      setHeight(element.clientHeight);
      const now = { frame: element.clientWidth, table: element.scrollWidth };
      setWidths((before) => (before.frame === now.frame && before.table === now.table ? before : now));
      markMore();
      // A row is higher as a card.
      const px = rowHeight(element);
      if (px > 0) setMeasured((before) => (before.px === px ? before : { ...before, px }));
    };
    onSize();
    onScroll();
    const observer = new ResizeObserver(onSize);
    observer.observe(element);
    const table = element.firstElementChild;
    if (table !== null) observer.observe(table);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      frame.current = null;
    };
  }, []);

  const hasRows = count > 0;
  useLayoutEffect(() => {
    const px = hasRows ? rowHeight(frame.current) : 0;
    if (px > 0) setMeasured({ usualPx, px });
  }, [hasRows, usualPx]);

  const top = step * stepPx;
  const start = Math.max(0, Math.min(rowAt(top, rowPx, opened), count - 1) - OVERSCAN);
  const end = Math.min(count, rowAt(top + stepPx + height, rowPx, opened) + 1 + OVERSCAN);
  return {
    frame,
    frameRef,
    widths,
    start,
    end,
    above: topOf(start, rowPx, opened),
    below: topOf(count, rowPx, opened) - topOf(end, rowPx, opened),
    scrollTo(index) {
      const element = frame.current;
      if (element === null) return;
      const header = element.querySelector('thead')?.clientHeight ?? 0;
      // Rows begin below the sticky header, which covers its own height of the scrolled area.
      const rowTop = topOf(index, rowPx, opened);
      const least = rowTop + header + rowPx - element.clientHeight;
      if (element.scrollTop > rowTop) element.scrollTop = rowTop;
      else if (element.scrollTop < least) element.scrollTop = least;
      setStep(Math.floor(element.scrollTop / stepPx));
    },
  };
}

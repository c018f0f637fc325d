/** A few words about the element under the pointer or the focus. Never the only place for a piece of information. */
import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import css from './popup.module.css';

type Side = 'top' | 'right' | 'bottom' | 'left';

const WAIT_MS = 400;
const GAP_PX = 6;
const EDGE_PX = 4;

/** Time at which the last tooltip closed: the next tooltip in a row of buttons then opens at once. */
let goneAt = Number.NEGATIVE_INFINITY;

export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  readonly text: ReactNode;
  readonly side?: Side;
  readonly children: ReactElement;
}) {
  const around = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const element = around.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      clearTimeout(timer);
      const isNext = performance.now() - goneAt < WAIT_MS;
      timer = setTimeout(() => setShown(true), isNext ? 0 : WAIT_MS);
    };
    const hide = () => {
      clearTimeout(timer);
      setShown((before) => {
        if (before) goneAt = performance.now();
        return false;
      });
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(':focus-visible')) show();
    };
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide();
    };
    element.addEventListener('pointerenter', show);
    for (const event of ['pointerleave', 'pointerdown', 'focusout']) element.addEventListener(event, hide);
    element.addEventListener('focusin', onFocus);
    element.addEventListener('keydown', onKeyDown);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('pointerenter', show);
      for (const event of ['pointerleave', 'pointerdown', 'focusout'])
        element.removeEventListener(event, hide);
      element.removeEventListener('focusin', onFocus);
      element.removeEventListener('keydown', onKeyDown);
    };
  }, []);
  return (
    // The span has no box of its own: its events are those of the wrapped element.
    <span ref={around} className={css['around']}>
      {children}
      {isShown && (
        <Words side={side} anchorOf={() => around.current?.firstElementChild}>
          {text}
        </Words>
      )}
    </span>
  );
}

function Words({
  side,
  anchorOf,
  children,
}: {
  readonly side: Side;
  readonly anchorOf: () => Element | null | undefined;
  readonly children: ReactNode;
}) {
  const words = useRef<HTMLSpanElement>(null);
  const anchor = useRef(anchorOf);
  useLayoutEffect(() => {
    const element = words.current;
    const thing = anchor.current();
    if (element === null || thing == null) return;
    element.showPopover();
    const box = thing.getBoundingClientRect();
    const { left, top } = placeOf(side, box, element.offsetWidth, element.offsetHeight);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  }, [side]);
  return (
    <span ref={words} role="tooltip" popover="manual" className={css['tooltip']}>
      {children}
    </span>
  );
}

/** Centred on its side, or on the opposite side where there is no room; always inside the window. */
function placeOf(side: Side, box: DOMRect, width: number, height: number): { left: number; top: number } {
  const within = (value: number, most: number) => Math.max(EDGE_PX, Math.min(value, most - EDGE_PX));
  if (side === 'top' || side === 'bottom') {
    const above = box.top - GAP_PX - height;
    const below = box.bottom + GAP_PX;
    const isAbove = side === 'top' ? above >= EDGE_PX : below + height > innerHeight - EDGE_PX;
    return {
      left: within(box.left + (box.width - width) / 2, innerWidth - width),
      top: isAbove ? above : below,
    };
  }
  const before = box.left - GAP_PX - width;
  const after = box.right + GAP_PX;
  const isBefore = side === 'left' ? before >= EDGE_PX : after + width > innerWidth - EDGE_PX;
  return {
    left: isBefore ? before : after,
    top: within(box.top + (box.height - height) / 2, innerHeight - height),
  };
}

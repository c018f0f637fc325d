/** A few words about the element under the pointer or the focus. Never the only place for a piece of information. */
import {
  type ReactElement,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import css from './popup.module.css';

const WAIT_MS = 400;
const GAP_PX = 6;
const EDGE_PX = 4;

/** Time at which the last tooltip closed: moving on to the next button of a row opens its tooltip at once. */
let goneAt = Number.NEGATIVE_INFINITY;

export function Tooltip({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) {
  const around = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const element = around.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // After a press it stays away until pointer or focus enter again; focus returning from its popup does not count.
    let isUsed = false;
    const isOpen = () => element.querySelector('[aria-expanded="true"]') !== null;
    const show = () => {
      clearTimeout(timer);
      if (isUsed || isOpen()) return;
      const isNext = performance.now() - goneAt < WAIT_MS;
      timer = setTimeout(() => setShown(!isOpen()), isNext ? 0 : WAIT_MS);
    };
    const hide = () => {
      clearTimeout(timer);
      setShown((before) => {
        if (before) goneAt = performance.now();
        return false;
      });
    };
    const ending = new AbortController();
    const { signal } = ending;
    element.addEventListener('pointerenter', show, { signal });
    for (const event of ['pointerleave', 'focusout'])
      element.addEventListener(
        event,
        () => {
          hide();
          isUsed = isOpen();
        },
        { signal },
      );
    for (const event of ['pointerdown', 'click'])
      element.addEventListener(
        event,
        () => {
          hide();
          isUsed = true;
        },
        { signal },
      );
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(':focus-visible')) show();
    };
    element.addEventListener('focusin', onFocus, { signal });
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide();
    };
    element.addEventListener('keydown', onKeyDown, { signal });
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, []);
  return (
    // The span has no box of its own: its events are those of the wrapped element.
    <span ref={around} className={css['around']}>
      {children}
      {isShown && <Words anchorOf={() => around.current?.firstElementChild}>{text}</Words>}
    </span>
  );
}

/** Text of the tooltip, centred above the element, or below it where space is short; always inside the window. */
function Words({
  anchorOf,
  children,
}: {
  readonly anchorOf: () => Element | null | undefined;
  readonly children: ReactNode;
}) {
  const words = useRef<HTMLSpanElement>(null);
  const anchor = useEffectEvent(anchorOf);
  useLayoutEffect(() => {
    const element = words.current;
    const box = anchor()?.getBoundingClientRect();
    if (element === null || box === undefined) return;
    element.showPopover();
    const above = box.top - GAP_PX - element.offsetHeight;
    const left = box.left + (box.width - element.offsetWidth) / 2;
    const most = innerWidth - element.offsetWidth - EDGE_PX;
    element.style.left = `${Math.max(EDGE_PX, Math.min(left, most))}px`;
    element.style.top = `${above >= EDGE_PX ? above : box.bottom + GAP_PX}px`;
  }, []);
  return (
    <span ref={words} role="tooltip" popover="manual" className={css['tooltip']}>
      {children}
    </span>
  );
}

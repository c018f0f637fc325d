/**
 * A text field with a list of matches: typing, a click or ↓ opens the list, ↑ ↓ choose, Enter takes, Escape closes.
 * The list lies over all other content, dialogs included, and the focus never leaves the field.
 */
import { Input } from '@base-ui/react/input';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import popup from './popup.module.css';

export interface SearchListProps<T> {
  readonly matches: readonly T[];
  readonly keyOf: (match: T) => string;
  /** Column names above the matches; hidden from screen readers. */
  readonly head?: ReactNode;
  /** Content of a match's line. */
  readonly line: (match: T) => ReactNode;
  readonly isSelected?: (match: T) => boolean;
  readonly isDisabled?: (match: T) => boolean;
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly onTake: (match: T) => void;
  /** Handles a pasted text, or an entered one without a match. True: the text was taken. */
  readonly onText?: (text: string) => boolean;
  /** The list closed without a choice. */
  readonly onLeave?: () => void;
  /** Name for screen readers, needed outside a `Field`. */
  readonly label?: string;
  readonly placeholder: string;
  readonly emptyText: string;
  readonly disabled?: boolean;
  readonly className?: string | undefined;
  readonly inputClassName?: string | undefined;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
}

/** Maximum number of matches that are drawn; typing finds the rest. */
const DRAWN = 100;
const GAP_PX = 4;
const EDGE_PX = 8;
const LEAST_PX = 160;
const ENOUGH_PX = 240;

export function SearchList<T>(props: SearchListProps<T>) {
  const { keyOf, typed, disabled = false, label } = props;
  const matches = props.matches.slice(0, DRAWN);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const current = isOpen ? matches[Math.min(at, matches.length - 1)] : undefined;
  const optionId = (match: T) => `${id}-${keyOf(match)}`;
  const open = () => {
    if (isOpen || disabled) return;
    setAt(
      Math.max(
        0,
        matches.findIndex((match) => props.isSelected?.(match) ?? false),
      ),
    );
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    props.onLeave?.();
  };
  const take = (match: T) => {
    if (props.isDisabled?.(match) === true) return;
    setOpen(false);
    setAt(0);
    props.onTake(match);
  };
  const move = (by: number) => {
    if (!isOpen) return open();
    const next = (Math.min(at, matches.length - 1) + by + matches.length) % Math.max(1, matches.length);
    setAt(next);
    const match = matches[next];
    if (match !== undefined) document.getElementById(optionId(match))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && current !== undefined) take(current);
    else if (event.key === 'Enter' && props.onText?.(typed) === true) setOpen(false);
    // Escape closes only the list, not the dialog around the field.
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} className={props.className}>
      {props.before}
      <Input
        className={props.inputClassName}
        role="combobox"
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(isOpen ? { 'aria-controls': id } : {})}
        {...(current === undefined ? {} : { 'aria-activedescendant': optionId(current) })}
        {...(label === undefined ? {} : { 'aria-label': label })}
        placeholder={props.placeholder}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        value={typed}
        onValueChange={(text) => {
          props.onType(text);
          setAt(0);
          setOpen(true);
        }}
        onPaste={(event) => {
          if (props.onText?.(event.clipboardData.getData('text/plain')) !== true) return;
          event.preventDefault();
          setOpen(false);
        }}
        onClick={open}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {props.after}
      {isOpen && (
        <Matches anchor={box}>
          {matches.length === 0 && (
            <p role="status" className={popup['empty']}>
              {props.emptyText}
            </p>
          )}
          {props.head !== undefined && matches.length > 0 && (
            <div className={popup['head']} aria-hidden="true">
              {props.head}
            </div>
          )}
          <div id={id} role="listbox" aria-label={label ?? props.placeholder}>
            {matches.map((match, index) => (
              <div
                key={keyOf(match)}
                id={optionId(match)}
                role="option"
                tabIndex={-1}
                aria-selected={props.isSelected?.(match) ?? match === current}
                aria-disabled={props.isDisabled?.(match) ?? false}
                className={popup['item']}
                {...(match === current ? { 'data-highlighted': '' } : {})}
                {...(props.isDisabled?.(match) === true ? { 'data-disabled': '' } : {})}
                onPointerMove={() => setAt(index)}
                onClick={() => take(match)}
                onKeyDown={onKeyDown}
              >
                {props.line(match)}
              </div>
            ))}
          </div>
        </Matches>
      )}
    </div>
  );
}

/** List of matches below the field, or above it where there is more space. It follows the field. */
function Matches({
  anchor,
  children,
}: {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    let frame = 0;
    let placed = '';
    const place = () => {
      frame = requestAnimationFrame(place);
      const field = anchor.current?.getBoundingClientRect();
      if (field === undefined) return;
      const where = [field.left, field.top, field.width, innerWidth, innerHeight].join();
      if (where === placed) return;
      placed = where;
      const below = innerHeight - field.bottom - GAP_PX - EDGE_PX;
      const above = field.top - GAP_PX - EDGE_PX;
      const isBelow = below >= Math.min(ENOUGH_PX, above);
      const left = Math.max(EDGE_PX, Math.min(field.left, innerWidth - EDGE_PX - LEAST_PX));
      const { style } = element;
      style.left = `${left}px`;
      style.top = isBelow ? `${field.bottom + GAP_PX}px` : 'auto';
      style.bottom = isBelow ? 'auto' : `${innerHeight - field.top + GAP_PX}px`;
      style.setProperty('--anchor-width', `${field.width}px`);
      style.setProperty('--available-width', `${innerWidth - left - EDGE_PX}px`);
      style.setProperty('--available-height', `${isBelow ? below : above}px`);
    };
    // Prevents the click from moving the focus out of the field.
    element.addEventListener('mousedown', (event) => event.preventDefault());
    element.showPopover();
    // Repeats at each frame: content that loads above also moves the field, and no event reports it.
    place();
    return () => cancelAnimationFrame(frame);
  }, [anchor]);
  return (
    <div ref={list} popover="manual" className={`${popup['popup']} ${popup['matches']}`}>
      {children}
    </div>
  );
}

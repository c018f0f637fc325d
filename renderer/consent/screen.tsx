/** One screen of the card: its heading is the title of the page. */
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Button } from '../components/button.tsx';
import layout from '../components/layout.module.css';

/** @param focus control that gets the focus; left out: the heading does, so that a screen reader reads it */
export function Screen({
  heading,
  focus,
  children,
}: {
  readonly heading: ReactNode;
  readonly focus?: RefObject<HTMLElement | null>;
  readonly children?: ReactNode;
}) {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title.current?.textContent ?? ''} – Tandem`;
    (focus ?? title).current?.focus();
  }, [focus]);
  return (
    <section className={layout['stack']}>
      <h1 ref={title} tabIndex={-1}>
        {heading}
      </h1>
      {children}
    </section>
  );
}

/** Screen on which there is nothing to decide. */
export interface Notice {
  readonly heading: string;
  /** Paragraphs. */
  readonly text: readonly string[];
  /** Label of its button; left out: it has none. */
  readonly button?: string;
  /** The request can still be decided. */
  readonly isOpen?: true;
}

export function NoticeScreen({ notice, onPress }: { readonly notice: Notice; readonly onPress: () => void }) {
  const { heading, text, button } = notice;
  return (
    <Screen heading={heading}>
      {text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {button !== undefined && <Button onClick={onPress}>{button}</Button>}
    </Screen>
  );
}

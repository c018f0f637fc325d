/** Reports if the end of an element has been visible since its figures last changed. */
import { type RefObject, useEffect, useState } from 'react';

/**
 * @param end element after the content; its ref holds null: there is no content
 * @param cover element that covers the lower edge of the window
 */
export function useSeen(
  figures: string,
  end: RefObject<HTMLElement | null>,
  cover: RefObject<HTMLElement | null>,
): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  useEffect(() => {
    if (end.current === null) return setSeen(figures);
    const covered = cover.current?.offsetHeight ?? 0;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(figures);
      },
      { rootMargin: `0px 0px -${covered}px 0px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [figures, end, cover]);
  return seen === figures;
}

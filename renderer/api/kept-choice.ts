/** Choices of this browser: kept in `localStorage`, shared by its tabs. Nothing secret is in them. */
import { z } from 'zod';
import { create } from 'zustand';

/** Schema of a stored object, which an older or newer page may have written: each field has a fallback of its own. */
export function lenient<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape);
  return schema.catch(() => schema.parse({}));
}

/** @param text the stored text; null or text that is not JSON gives the schema's defaults */
export function readKept<Choice>(schema: z.ZodType<Choice>, text: string | null): Choice {
  try {
    return schema.parse(JSON.parse(text ?? 'null'));
  } catch {
    return schema.parse(null);
  }
}

/** A choice that the browser's storage keeps under `key`: a hook that reads it, and the function that changes it. */
export function keptChoice<Choice extends object>(key: string, read: (text: string | null) => Choice) {
  const useChoice = create<Choice>(() => read(localStorage.getItem(key)));
  addEventListener('storage', (event) => {
    if (event.key === key) useChoice.setState(read(event.newValue), true);
  });
  const change = (patch: Partial<Choice>): void => {
    useChoice.setState(patch);
    try {
      localStorage.setItem(key, JSON.stringify(useChoice.getState()));
    } catch {
      // Without storage the choice holds until the page is closed.
    }
  };
  return [useChoice, change] as const;
}

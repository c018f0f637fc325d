/** Opaque keyset cursor: base64url of `<sort key>:<id>` of the last row. */
import { z } from 'zod';
import { DOCS, limitQuery } from './common.ts';

export interface CursorPosition {
  /** Epoch ms. */
  readonly key: number;
  readonly id: string;
}

const SHAPE = /^(\d{1,16}):([0-9A-Za-z-]{1,64})$/;

function toBase64Url(value: string): string {
  return btoa(value).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export function encodeCursor(position: CursorPosition): string {
  return toBase64Url(`${position.key}:${position.id}`);
}

/** @returns null when the text is not a cursor made by the gateway */
export function decodeCursor(text: string): CursorPosition | null {
  if (!/^[A-Za-z0-9_-]{1,256}$/.test(text)) return null;
  let raw: string;
  try {
    raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  } catch {
    return null;
  }
  const match = SHAPE.exec(raw);
  const [, key, id] = match ?? [];
  if (key === undefined || id === undefined) return null;
  return toBase64Url(raw) === text ? { key: Number(key), id } : null;
}

/** Query `cursor`; a malformed one is a validation error on path `cursor`. */
const cursorQuery = z
  .string()
  .transform((text, context) => {
    const position = decodeCursor(text);
    if (position === null) {
      context.addIssue({ code: 'custom', message: 'Malformed cursor' });
      return z.NEVER;
    }
    return position;
  })
  .register(DOCS, { description: 'Opaque; the `nextCursor` of the previous page' });

/** Query of a list that is read page by page. */
export function pageQuery(max = 2_000, fallback = 20) {
  return { limit: limitQuery(max, fallback), cursor: cursorQuery.optional() };
}

/** Answer field of a page; missing: it is the last one. */
export const nextCursor = z.string().optional();

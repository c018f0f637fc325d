/**
 * Reads venues' answers. Prices, quantities and ids never become a `Number`, which would round them: every number of
 * the text goes to the schema as its exact string.
 */
import { z } from 'zod';
import { canonical, type DecimalString } from '../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';

export interface Unreadable {
  /** For logs: names the field, quotes nothing of the answer. */
  readonly message: string;
}

/** Reads JSON by a schema whose numbers are strings. Never throws. */
export function read<S extends z.ZodType>(schema: S, text: string): Result<z.output<S>, Unreadable> {
  const json = readJson(text);
  if (!json.ok) return json;
  return check(schema, json.value);
}

/** The same for a value that `readJson` gave, where a first look decides by which schema it is read. */
export function check<S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>, Unreadable> {
  try {
    const parsed = schema.safeParse(value);
    if (parsed.success) return ok(parsed.data);
    const [issue] = parsed.error.issues;
    const at = issue?.path.map(String).join('.').slice(0, 200) ?? '';
    return fail({ message: `not as described${at === '' ? '' : ` at ${at}`}: ${issue?.code ?? 'unknown'}` });
  } catch (error) {
    return fail({ message: `not as described: ${error instanceof Error ? error.name : 'error'}` });
  }
}

/**
 * A string, also an unfinished one, or a number, also "not a number" as some programs write it. Every string is matched
 * where it begins: a search behind each quote in an unfinished one would take hours.
 */
const TOKEN =
  /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|-?(?:NaN|Infinity|(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/g;
const QUOTE = 34;
const COLON = 58;

/** JSON of which every number is a string, as it is written. Never throws. */
export function readJson(text: string): Result<unknown, Unreadable> {
  let broken = false;
  const quote = (token: string, offset: number) => {
    // A string without an end makes the text invalid JSON either way.
    if (token.charCodeAt(0) === QUOTE) return token;
    // Alone it is not JSON of any program.
    if (token.length === text.length && !/[0-9]/.test(token)) return token;
    if (namesField(text, offset + token.length)) broken = true;
    return `"${token}"`;
  };
  try {
    // Quoting a number cannot make invalid JSON valid, except as a field's name.
    const value: unknown = JSON.parse(text.replace(TOKEN, quote));
    return broken ? fail({ message: 'not JSON' }) : ok(value);
  } catch {
    // Not JSON, or strings of more escapes than can be looked through.
    return fail({ message: 'not JSON' });
  }
}

function namesField(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return text.charCodeAt(at) === COLON;
}

const DECIMAL = /^-?[0-9]{1,60}(?:\.[0-9]{1,60})?(?:[eE][+-]?[0-9]{1,2})?$/;
const INTEGER = /^-?[0-9]{1,16}$/;

/** An exact decimal, written `"1.50"`, `1.5` or `15e-1`: all become `1.5`. An empty string is none. */
export const decimalField: z.ZodType<DecimalString, unknown> = z.string().regex(DECIMAL).transform(canonical);

/** A whole number that is exact as a `Number`: counts, indexes, epoch ms. Not for ids. */
export const integerField: z.ZodType<number, unknown> = z
  .string()
  .regex(INTEGER)
  .transform(Number)
  .refine((value) => Number.isSafeInteger(value));

/** An id, written as a string or as a number, character by character. */
export const idField: z.ZodType<string, unknown> = z.string().min(1).max(256);

/** The same where a venue's ids are numbers of up to 20 digits. */
export const numericIdField: z.ZodType<string, unknown> = z.string().regex(/^[0-9]{1,20}$/);

/** Entries of a list that are as described, and the others as they came. */
export interface PartlyRead<T> {
  readonly items: readonly T[];
  readonly unread: readonly unknown[];
  /** Number of both together. */
  readonly length: number;
}

/** A list of which every entry is read by itself: one that is not as described hides none of the others. */
export function partly<T>(item: z.ZodType<T, unknown>): z.ZodType<PartlyRead<T>, unknown> {
  return z.array(z.unknown()).transform((entries) => readEach(item, entries));
}

/** @param item schema of an entry */
export function readEach<T>(item: z.ZodType<T, unknown>, entries: readonly unknown[]): PartlyRead<T> {
  const items: T[] = [];
  const unread: unknown[] = [];
  for (const entry of entries) {
    const told = check(item, entry);
    if (told.ok) items.push(told.value);
    else unread.push(entry);
  }
  return { items, unread, length: entries.length };
}

/** The same for lists whose places count: null replaces an entry that is not as described. */
export function aligned<T>(item: z.ZodType<T, unknown>): z.ZodType<(T | null)[], unknown> {
  return z.array(z.unknown()).transform((entries) =>
    entries.map((entry) => {
      const told = check(item, entry);
      return told.ok ? told.value : null;
    }),
  );
}

/** null also if the field is not as described. For fields that are only shown, or replaced by a safe value. */
export function lax<T>(field: z.ZodType<T, unknown>): z.ZodType<T | null, unknown> {
  return optional(field).catch(null);
}

/** null where the field is missing, null or an empty string, which is how some venues write "none". */
export function optional<T>(field: z.ZodType<T, unknown>): z.ZodType<T | null, unknown> {
  return z.preprocess((value) => (value === '' || value === undefined ? null : value), field.nullable());
}

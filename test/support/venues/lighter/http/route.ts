/** Route of the venue: the fields that it takes and its answer. Unknown fields are refused. */
import { z } from 'zod';
import type { Account } from '../state/accounts.ts';
import { invalidParam, type Refusal } from '../state/refusals.ts';
import { isRefusal, type Venue } from '../venue.ts';

/** `refused`: HTTP 400 with the venue's code. */
export type Answer = { readonly json: unknown } | { readonly refused: Refusal };

export interface Call<Fields> {
  readonly fields: Fields;
  /** Token from the `auth` field or the `Authorization` header; null: neither was sent. */
  readonly auth: string | null;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Weight by the venue's own table, against the requests per minute of paid accounts. */
  readonly weight: number;
  answer(
    venue: Venue,
    given: Readonly<Record<string, string>>,
    authorization: string | null,
  ): Promise<Answer>;
}

const USUAL_WEIGHT = 300;

const by =
  (method: Route['method']) =>
  <S extends z.ZodObject>(
    shape: S,
    answer: (venue: Venue, call: Call<z.infer<S>>) => Answer | Promise<Answer>,
    weight = USUAL_WEIGHT,
  ): Route => ({
    ...{ method, weight },
    answer: async (venue, given, authorization) => {
      const read = shape.safeParse(given);
      if (!read.success) return refused(invalidParam(complaint(read.error)));
      const own = [given['auth'], given['authorization']].find((text) => text !== undefined && text !== '');
      return answer(venue, { fields: read.data, auth: own ?? authorization });
    },
  });

export const get = by('GET');
export const post = by('POST');

/** A question about an account, for bearers of its token. */
export function getOwn<S extends z.ZodRawShape>(
  shape: S,
  answer: (venue: Venue, account: Account, fields: z.infer<z.ZodObject<S>>) => Answer,
  weight?: number,
): Route {
  const all: z.ZodObject = z.strictObject({ ...auth, account_index: whole, ...shape });
  return get(
    all,
    (venue, { fields, auth: token }) => {
      const account = venue.authorised(Number(fields['account_index']), token);
      return isRefusal(account) ? refused(account) : answer(venue, account, fields as never);
    },
    weight,
  );
}

function complaint({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return '';
  if (issue.code === 'unrecognized_keys') return `field "${issue.keys.join(', ')}" is unknown`;
  return `field "${issue.path.join('.')}" is not set or invalid`;
}

export function answered(fields: object): Answer {
  return { json: { code: 200, ...fields } };
}

export function refused(refusal: Refusal): Answer {
  return { refused: refusal };
}

/** A whole number as it stands in a query or a form. */
export const whole = z
  .string()
  .regex(/^-?\d{1,18}$/)
  .transform(Number);

export const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Fields for a token, besides the header. */
export const auth = { auth: z.string().optional(), authorization: z.string().optional() };

/** One page of a list, newest first; a page ends where the next begins. */
export function page<T>(
  list: readonly T[],
  idOf: (one: T) => number,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): { readonly rows: readonly T[]; readonly next_cursor?: string } | null {
  const before = cursor === undefined || cursor === '' ? Number.POSITIVE_INFINITY : positionOf(cursor);
  if (before === null) return null;
  const rows = list.filter((one) => idOf(one) < before).toSorted((a, b) => idOf(b) - idOf(a));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > shown.length && last !== undefined;
  return { rows: shown, ...(more ? { next_cursor: Buffer.from(`c${idOf(last)}`).toString('base64') } : {}) };
}

function positionOf(cursor: string): number | null {
  const [, id] = /^c(\d+)$/.exec(Buffer.from(cursor, 'base64').toString('utf8')) ?? [];
  return id === undefined ? null : Number(id);
}

/** Wire form of a record whose fields have the names of the contract. */
import { z } from 'zod';
import { iso } from './time.ts';

/** A record holds a time as epoch ms and its lists as read-only ones. */
type Held<Field> =
  Field extends z.ZodNullable<infer Inner>
    ? Held<Inner> | null
    : Field extends z.ZodISODateTime
      ? number
      : Field extends z.ZodArray<infer Row>
        ? readonly z.input<Row>[]
        : z.input<Field>;

const plans = new WeakMap<z.ZodObject, ReadonlyMap<string, boolean>>();

/** Fields of the schema in its order; true: the field is a time. */
function planOf(schema: z.ZodObject): ReadonlyMap<string, boolean> {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const plan = new Map(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      (field instanceof z.ZodNullable ? field.unwrap() : field) instanceof z.ZodISODateTime,
    ]),
  );
  plans.set(schema, plan);
  return plan;
}

/**
 * The schema's fields: those in `own`, the others from the record. Fields that only the record has are left out.
 * Fills, slices and positions are converted by hand-written code instead, because this function takes about a
 * microsecond longer per row and long lists repeat them; acknowledgements write their text in `execution-json.ts`.
 */
export function wireForm<S extends z.ZodObject, const Own extends Partial<z.input<S>>>(
  schema: S,
  record: { readonly [Name in Exclude<keyof S['shape'], keyof Own>]: Held<S['shape'][Name]> },
  own: Own,
): z.input<S> {
  const held: Readonly<Record<string, unknown>> = record;
  const given: Readonly<Record<string, unknown>> = own;
  const made: Record<string, unknown> = {};
  for (const [name, isTime] of planOf(schema)) {
    const value = name in given ? given[name] : held[name];
    made[name] = isTime && typeof value === 'number' ? iso(value) : value;
  }
  // The cast is safe: every field is in `own` in its wire form, or in the record in the form that `Held` names.
  return made as z.input<S>;
}

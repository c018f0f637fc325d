/** Primitives of every schema of the wire contract. No imports from outside this folder: bots and the UI bundle it. */
import { z } from 'zod';
import { MARGIN_MODES, SIDES } from '../domain/enumerations.ts';

/**
 * Where schemas keep their documentation. A new schema is entered with `register(DOCS, …)`: `meta` would copy it, which
 * for hundreds of schemas takes milliseconds of every start. A schema that others share, or that only
 * narrows one, is copied, with `meta`.
 */
export const DOCS = z.globalRegistry;

/** Digits, optionally a point and up to 18 decimals. */
export const DECIMAL = /^\d{1,20}(\.\d{1,18})?$/;
/** In answers: no zeros before the number or after its decimals, and no minus zero. */
const CANONICAL_DECIMAL = /^(?!-0$)-?(0|[1-9]\d{0,39})(\.\d{0,39}[1-9])?$/;

const IDLE_ZEROS = /^-?0\d|\.\d*0$/;

/**
 * "0500.00" → "500": amounts are returned in answers without redundant zeros. Text that is not a decimal is left
 * unchanged.
 */
function withoutIdleZeros(value: string): string {
  if (!IDLE_ZEROS.test(value)) return value;
  const [, sign, whole, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  if (whole === undefined) return value;
  const digits = whole.replace(/^0+(?=\d)/, '');
  const decimals = fraction?.replace(/0+$/, '') ?? '';
  return `${sign}${digits}${decimals === '' ? '' : `.${decimals}`}`;
}

const plainDecimal = z
  .string()
  .regex(
    DECIMAL,
    'Expected a decimal string such as "12.5": digits, optionally a point and up to 18 decimals',
  )
  .overwrite(withoutIdleZeros);

/** Input: a non-negative decimal in plain notation, as a string. A JSON number is refused. */
export const decimalInput = plainDecimal.meta({
  id: 'DecimalInput',
  description: 'Non-negative decimal string without exponent',
  example: '12.5',
});

/** Input: as `decimalInput`, greater than zero. */
export const positiveDecimalInput = plainDecimal
  .refine((value) => value !== '0', 'Must be greater than 0')
  .register(DOCS, {
    id: 'PositiveDecimalInput',
    description: 'Decimal string greater than 0, without exponent',
    example: '250',
  });

/** Input: as `positiveDecimalInput`, or with a `-` in front. */
export const signedDecimalInput = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,18})?$/, 'Expected a decimal string such as "12.5" or "-12.5"')
  .refine((value) => !/^-?[0.]*$/.test(value), 'Must not be 0')
  .overwrite(withoutIdleZeros)
  .register(DOCS, {
    id: 'SignedDecimalInput',
    description: 'Decimal string, not 0, without exponent',
    example: '-50',
  });

/** Input: the level of a ratio, > 0, or of its transform, which may be negative or 0; who uses it checks which. */
export const levelInput = z
  .string()
  .regex(
    /^-?\d{1,20}(\.\d{1,18})?$/,
    'Expected a decimal string such as "12.5": digits, optionally a point and up to 18 decimals',
  )
  .overwrite(withoutIdleZeros)
  .register(DOCS, {
    id: 'LevelInput',
    description:
      'Decimal string without exponent, greater than 0; with `transform` from −1000 to 1000, 0 included',
    example: '20.5',
  });

/** Output: plain notation, no trailing zeros, `-` only where the value can be negative. */
export const decimal = z.string().regex(CANONICAL_DECIMAL).register(DOCS, {
  id: 'Decimal',
  description: 'Decimal string, no exponent, no trailing zeros',
  example: '-3.25',
});

export const uuid = z.uuid();
/** Id in a path. Any text, so that an id that no resource has is 404 whatever it looks like. */
export const pathId = z.string().min(1).max(64);
/** Path of a resource: `/positions/:id`. */
export const idParams = z.strictObject({ id: pathId });
/** ISO 8601 UTC with milliseconds. */
export const isoTime = z.iso
  .datetime({ precision: 3 })
  .register(DOCS, { id: 'IsoTime', example: '2026-01-31T12:00:00.000Z' });

/** Input: ISO 8601 with `Z` or an offset. */
export const timeInput = z.iso.datetime({ offset: true }).register(DOCS, { example: '2026-01-31T12:00:00Z' });

export const side = z.enum(SIDES).register(DOCS, { id: 'Side' });
export const marginMode = z.enum(MARGIN_MODES).register(DOCS, { id: 'MarginMode' });
export const instrumentId = z
  .string()
  .min(1)
  .max(64)
  .register(DOCS, { description: 'Instrument ID, e.g. `BTC-PERP` (not the ticker)', example: 'BTC-PERP' });
export const connectorId = z.string().min(1).max(64);
export const walletAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'Expected a 20-byte address in hex')
  .register(DOCS, { example: '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e' });
export const walletSignature = z
  .string()
  .regex(/^0x[0-9a-fA-F]{130}$/, 'Expected a 65-byte signature in hex');

/** JSON Schema of a query parameter's meaning, beside that of its text, for the description of the API. */
export type QueryForm =
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'boolean' }
  | {
      readonly type: 'array';
      readonly items: {
        readonly type: 'string';
        readonly enum?: readonly string[];
        readonly pattern?: string;
      };
      readonly minItems: 1;
      readonly maxItems?: number;
    };

const QUERY_FORMS = new WeakMap<z.ZodType, QueryForm>();

/** Notes the form of a parameter whose text is transformed. @returns the schema itself */
export function withQueryForm<const Schema extends z.ZodType>(schema: Schema, form: QueryForm): Schema {
  QUERY_FORMS.set(schema, form);
  return schema;
}

/** The form of a parameter with its default; null: its schema says all of it. */
export function queryFormOf(schema: z.ZodType): (QueryForm & { readonly default?: unknown }) | null {
  const form = QUERY_FORMS.get(schema);
  if (form !== undefined) return form;
  if (schema instanceof z.ZodOptional) return queryFormOf(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodDefault)) return null;
  const inner = queryFormOf(schema.unwrap() as z.ZodType);
  return inner === null ? null : { ...inner, default: schema.def.defaultValue };
}

/** Query: an integer in text. */
export function integerQuery(min: number, max: number, fallback: number) {
  const value = z
    .string()
    .regex(/^\d{1,9}$/, 'Expected an integer')
    .transform(Number)
    .pipe(
      z
        .int()
        .min(min, min === 1 ? 'Must be greater than 0' : `Must be at least ${min}`)
        .max(max, `Must be at most ${max}`),
    );
  return withQueryForm(value, { type: 'integer', minimum: min, maximum: max }).default(fallback);
}

/** Query `limit`: 1..max. */
export function limitQuery(max: number, fallback: number) {
  return integerQuery(1, max, fallback).register(DOCS, { description: `1 to ${max}, default ${fallback}` });
}

/** Query array: `a=1&a=2` and `a=1,2`. */
export function arrayQuery<const T extends readonly [string, ...string[]]>(values: T) {
  const list = z
    .union([z.string(), z.array(z.string())])
    .transform((raw) => (Array.isArray(raw) ? raw : [raw]).flatMap((part) => part.split(',')))
    .pipe(z.array(z.enum(values)).min(1));
  return withQueryForm(list, { type: 'array', items: { type: 'string', enum: values }, minItems: 1 });
}

/** Query boolean: `true` or `false` only. */
export const booleanQuery = withQueryForm(
  z.enum(['true', 'false']).transform((raw) => raw === 'true'),
  { type: 'boolean' },
);

export const emptyObject = z.strictObject({}).register(DOCS, { id: 'Empty' });

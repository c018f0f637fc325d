/** Path, query and body against the contract's schemas; every rejected field is reported, each once. */
import { parse } from 'node:querystring';
import type { z } from 'zod';
import type { ValidationDetail } from '../../contract/errors.ts';
import { BusinessError } from '../handler.ts';

type Issue = z.core.$ZodIssue;

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Unknown fields that an answer names; more of them help nobody, and an answer must not be larger than what asked. */
const MAX_UNKNOWN_FIELDS = 20;

/** One detail per field: the first issue of a path is the one to fix first. */
function validationDetails(issues: readonly Issue[]): ValidationDetail[] {
  const byPath = new Map<string, ValidationDetail>();
  const add = (path: string, message: string, code: string) => {
    if (!byPath.has(path)) byPath.set(path, { path, message, code });
  };
  let unknown = 0;
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      const named = issue.keys.slice(0, MAX_UNKNOWN_FIELDS - unknown);
      unknown += named.length;
      for (const key of named) add(dotted([...issue.path, key]), `Unrecognized key: "${key}"`, issue.code);
    } else {
      add(dotted(issue.path), issue.message, issue.code ?? 'custom');
    }
  }
  return [...byPath.values()];
}

const NO_QUERY: Readonly<Record<string, never>> = Object.freeze({});

function parseQuery(text: string): unknown {
  return text === '' ? NO_QUERY : { ...parse(text) };
}

export interface Schemas {
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
}

export interface ValidInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** @throws BusinessError VALIDATION_ERROR with the details of all three. */
export function validate(
  schemas: Schemas,
  params: Readonly<Record<string, string>>,
  queryText: string,
  body: unknown,
): ValidInput {
  let issues: Issue[] | null = null;
  let validParams: unknown;
  let validQuery: unknown;
  let validBody: unknown;
  if (schemas.params !== undefined) {
    const result = schemas.params.safeParse(params);
    if (result.success) validParams = result.data;
    else issues = result.error.issues;
  }
  if (schemas.query !== undefined) {
    const result = schemas.query.safeParse(parseQuery(queryText));
    if (result.success) validQuery = result.data;
    else issues = [...(issues ?? []), ...result.error.issues];
  }
  if (schemas.body !== undefined) {
    const result = schemas.body.safeParse(body);
    if (result.success) validBody = result.data;
    else issues = [...(issues ?? []), ...result.error.issues];
  }
  if (issues !== null)
    throw new BusinessError('VALIDATION_ERROR', 'Validation error', validationDetails(issues));
  return { params: validParams, query: validQuery, body: validBody };
}

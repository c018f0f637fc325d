/** Path, query and body against the contract's schemas; every rejected field is reported, each once. */
import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { Context } from 'koa';
import type { z } from 'zod';
import { BusinessError } from '../../call/errors.ts';
import type { ValidationDetail } from '../../contract/errors.ts';
import type { Input } from '../compiled-route.ts';
import type { Check } from '../request-state.ts';

type Issue = z.core.$ZodIssue;

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Maximum number of unknown fields that an answer names, so that the answer is not larger than the request. */
const MAX_UNKNOWN_FIELDS = 20;

/** Details of the issues, one per field: only the first issue of a path is reported. */
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

/**
 * Query parameters of the request, the first thousand. `ctx.query` searches all of them for each name: a query of eight
 * thousand names, which any page of a browser can send, would hold the event loop for a quarter of a second.
 */
export function queryOf({ querystring }: Pick<Context, 'querystring'>): ParsedUrlQuery {
  return parse(querystring);
}

/** Puts parsed input into `ctx.state.input`, or throws VALIDATION_ERROR with the details of each fault. */
export const validateInput: Check = (ctx, next) => {
  const { route, body } = ctx.state;
  const issues: Issue[] = [];
  const valid = (part: keyof Input, value: unknown): unknown => {
    const result = route.schemas[part]?.safeParse(value);
    if (result?.success === false) issues.push(...result.error.issues);
    return result?.data;
  };
  ctx.state.input = {
    params: valid('params', ctx.params),
    query: route.schemas.query === undefined ? undefined : valid('query', queryOf(ctx)),
    body: valid('body', body),
  };
  if (issues.length > 0)
    throw new BusinessError('VALIDATION_ERROR', 'Validation error', validationDetails(issues));
  return next();
};

/** Path, query and body against the contract's schemas; every rejected field is reported, each once. */
import type { z } from 'zod';
import type { ValidationDetail } from '../../contract/errors.ts';
import type { Input } from '../compiled-route.ts';
import { BusinessError } from '../handler.ts';
import type { Check } from '../request-state.ts';

type Issue = z.core.$ZodIssue;

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

/** Most unknown fields that an answer names, so that the answer does not outgrow the request. */
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

/** Puts parsed input into `ctx.state.input`, or throws VALIDATION_ERROR with the details of each fault. */
export const validateInput: Check = (ctx, next) => {
  const { route, body } = ctx.state;
  const issues: Issue[] = [];
  const valid = (part: keyof Input): unknown => {
    const result = route.schemas[part]?.safeParse(part === 'body' ? body : ctx[part]);
    if (result?.success === false) issues.push(...result.error.issues);
    return result?.data;
  };
  ctx.state.input = { params: valid('params'), query: valid('query'), body: valid('body') };
  if (issues.length > 0)
    throw new BusinessError('VALIDATION_ERROR', 'Validation error', validationDetails(issues));
  return next();
};

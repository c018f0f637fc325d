/** Checks a tool's arguments, so that the answer names the field, its meaning and a valid example. */
import type { z } from 'zod';
import type { Fault } from './fault.ts';
import type { Tool } from './tool.ts';

type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: Fault };

const MAX_FIELDS = 20;

export function checkArguments(tool: Pick<Tool, 'name' | 'input'>, given: unknown): Checked {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  const fields = parsed.error.issues.slice(0, MAX_FIELDS).flatMap((issue) => problemsOf(tool.input, issue));
  return {
    ok: false,
    error: {
      code: 'VALIDATION_ERROR',
      happened: `The arguments of ${tool.name} are not valid`,
      nothing_was_ordered: true,
      fields,
      limits: [],
      do: 'Correct the fields that are named and call the tool again.',
    },
  };
}

function problemsOf(input: z.ZodObject, issue: z.core.$ZodIssue): Fault['fields'] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_FIELDS).map((key) => ({
      field: key.slice(0, 64),
      problem: `There is no such field. Fields: ${Object.keys(input.shape).join(', ')}`,
    }));
  const [name] = issue.path;
  const about = typeof name === 'string' ? input.shape[name] : undefined;
  const meaning = describe(about);
  return [
    {
      field: issue.path.length === 0 ? 'arguments' : issue.path.map(String).join('.'),
      problem: meaning === undefined ? issue.message : `${issue.message} (${meaning})`,
    },
  ];
}

function describe(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return undefined;
  return typeof schema.description === 'string' ? schema.description : undefined;
}

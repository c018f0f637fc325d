/** Results in the protocol's shape, and refusals with a next step. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { DispatchRefusal } from '../call/dispatch.ts';
import type { brokenLimit, Fault } from './fault.ts';
import type { Said } from './said.ts';
import { untrusted } from './untrusted.ts';

export function resultOf({ data, text, isError = false }: Said<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: data, ...(isError ? { isError } : {}) };
}

export function faultResult(error: Fault): CallToolResult {
  const lines = [
    `NOT DONE (${error.code}): ${error.happened}`,
    ...error.fields.map(({ field, problem }) => `- ${field}: ${problem}`),
    ...(error.untrusted_text === undefined
      ? []
      : [`untrusted_text: ${JSON.stringify(error.untrusted_text)}`]),
    ...error.limits.map(limitLine),
    ...(error.nothing_was_ordered ? ['Nothing was ordered.'] : []),
    `Next: ${error.do}`,
  ];
  return resultOf({ data: { error }, text: lines.join('\n'), isError: true });
}

export function limitLine({ name, allowed, used, asked }: z.input<typeof brokenLimit>): string {
  const figures = [
    ...(asked === null ? [] : [`asked ${asked}`]),
    ...(used === null ? [] : [`used ${used}`]),
    ...(allowed === null ? [] : [`allowed ${allowed}`]),
  ];
  return `- limit ${name}${figures.length === 0 ? '' : `: ${figures.join(', ')}`}`;
}

/** Limits that a 403 `AGENT_LIMIT` names. */
export function limitsOf({ details }: Pick<DispatchRefusal, 'details'>): z.input<typeof brokenLimit>[] {
  const named = detailOf(details, 'limits');
  return (Array.isArray(named) ? named : []).map((row) => ({
    name: String(row?.limit ?? 'unknown'),
    allowed: textOrNull(row?.allowed),
    used: textOrNull(row?.used),
    asked: textOrNull(row?.asked),
  }));
}

/** One field of the details of a refusal; undefined where they list fields of the request instead. */
export function detailOf(details: DispatchRefusal['details'], name: string): unknown {
  return Array.isArray(details) ? undefined : (details as Readonly<Record<string, unknown>>)[name];
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

const BY_CODE: Readonly<Record<string, string>> = {
  RESOURCE_NOT_FOUND:
    'Check the id and the account; list_activity and list_positions have the ids that exist.',
  RESOURCE_BUSY: 'Wait a moment and read get_status before you try again.',
  NOOP_ERROR: 'Nothing needs to be done: read get_status.',
  NOT_IMPLEMENTED_ERROR: 'This venue cannot do it. Use another way or another account.',
  ACCOUNT_NOT_ARMED: 'Ask the user to arm this live account on the dashboard; nothing opens on it before.',
  CALLER_NOT_ALLOWED: 'Ask the user to let this agent trade the live account on the dashboard.',
  CAP_EXCEEDED: 'Ask for less, or ask the user to change the caps of the account.',
  AGENT_LIMIT: 'Ask for what the limits allow (tandem://limits), or ask the user to change them.',
  DATABASE_ERROR:
    'Tell the user that the gateway has a problem with its disk; read get_status before you try again.',
};

/** Code of a field that the venue refused in its own words. */
const VENUE_REJECTED = 'venue_rejected';
const VENUE_REFUSED = 'The venue refused it; untrusted_text has its words';

/** A route's refusal as an instruction. */
export function faultOf(refusal: DispatchRefusal, nothingOrdered = true): Fault {
  const { code, status, message, details } = refusal;
  const listed = Array.isArray(details) ? details : [];
  const fields = listed.map(({ path, message: problem, code: kind }) => ({
    field: path === '' ? 'arguments' : path,
    problem: kind === VENUE_REJECTED ? VENUE_REFUSED : problem,
  }));
  const said = listed.find(({ code: kind }) => kind === VENUE_REJECTED)?.message;
  return {
    code: code ?? (status === 403 ? 'NOT_ALLOWED' : 'REFUSED'),
    happened: message,
    ...(said === undefined ? {} : { untrusted_text: untrusted(said) }),
    nothing_was_ordered: nothingOrdered,
    fields,
    limits: limitsOf(refusal),
    do: doAfter(refusal, fields.length > 0),
  };
}

function waitFor(details: DispatchRefusal['details']): string {
  const retryAt = detailOf(details, 'retryAt');
  return typeof retryAt === 'number' ? `wait until ${new Date(retryAt).toISOString()}.` : 'wait a while.';
}

function doAfter({ code, status, details }: DispatchRefusal, hasFields: boolean): string {
  const reason = detailOf(details, 'reason');
  if (reason === 'PAUSED')
    return 'The user has paused trading. Only the user can resume it: tell the user, and wait.';
  if (reason === 'AGENT_RATE') return `Too many orders: ${waitFor(details)}`;
  if (reason === 'ALERT_RATE') return `Too many alerts: ${waitFor(details)}`;
  if (reason === 'PLAN_CHANGED') return 'Make a new preview.';
  if (reason === 'SHARED_POSITION')
    return 'A part of it is not yours. Leave out take-profit, stop-loss, rebalancing, leverage and taking margin out, trade another basket, or ask the user to do it.';
  if (reason === 'TOO_MANY')
    return 'Cancel an alert that is not needed any more (list_alerts), or move one with change_alert.';
  if (hasFields) return 'Correct the fields that are named and call the tool again.';
  const known = code === null ? undefined : BY_CODE[code];
  if (known !== undefined) return known;
  if (status === 403)
    return 'This connection may not do that. The user can connect it again and allow trading (mcp:write) on the consent page.';
  return 'Correct the request, or tell the user.';
}

/**
 * Terms that a client proposes for its mandate: `authorization_details` of `/authorize` (RFC 9396) with one element of the
 * type `tandem_mandate`. Elements of other types are ignored, as unknown parameters are.
 */
import { type MandateProposal, mandateProposal } from '../contract/mandate.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { OAuthFailure } from './failure.ts';

const MANDATE_TYPE = 'tandem_mandate';
const MAX_CHARS = 8_192;

function refused(description: string): Result<never, OAuthFailure> {
  return fail({ status: 400, error: 'invalid_authorization_details', description });
}

/** null: nothing is proposed. Unusable proposals are refused, so that nobody relies on limits that were not read. */
export function readProposal(text: string): Result<MandateProposal | null, OAuthFailure> {
  if (text === '') return ok(null);
  if (text.length > MAX_CHARS) return refused(`At most ${MAX_CHARS} characters`);
  const mandates = detailsOf(text).filter(({ type }) => type === MANDATE_TYPE);
  const [asked, another] = mandates;
  if (asked === undefined) return ok(null);
  if (another !== undefined) return refused('Only one tandem_mandate is possible');
  const { type: _, ...terms } = asked;
  const read = mandateProposal.safeParse(terms);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  const where = (issue?.path ?? []).join('.').replace(/[^\w.]/g, '?');
  return refused(`tandem_mandate cannot be read${where === '' ? '' : `: check ${where.slice(0, 64)}`}`);
}

/** The proposal as it was kept with an interaction. */
export function keptProposal(json: string | null): MandateProposal | null {
  return json === null ? null : mandateProposal.parse(JSON.parse(json));
}

function detailsOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const details: unknown = JSON.parse(text);
    return Array.isArray(details) ? details.filter((one) => typeof one === 'object' && one !== null) : [];
  } catch {
    return [];
  }
}

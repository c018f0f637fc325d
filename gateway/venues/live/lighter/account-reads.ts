/** Reads an account at Lighter. */
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { VenueError } from '../../../engine/ports/venue.ts';
import type { Lane } from '../kit/budget.ts';
import type { Client } from './client.ts';
import * as wire from './wire.ts';

/** Money and positions of an account, as the venue reports them; anybody may ask for them. */
export async function readAccount(
  { client }: { readonly client: Client },
  accountIndex: number,
  lane: Lane,
): Promise<Result<wire.WireAccount, VenueError>> {
  const query = { by: 'index', value: accountIndex };
  const told = await client.get({ lane, path: '/api/v1/account', query }, wire.accounts);
  if (!told.ok) return told;
  const own = told.value.accounts.find(({ index }) => index === accountIndex);
  return own === undefined ? fail({ kind: 'unknown', message: 'its answer is of no such account' }) : ok(own);
}

/** Output of the commands that arm and disarm a live account. */

import type { Answer } from '../client/route-types.ts';
import { type Money, moneyWord } from './account-mark.ts';
import { stripControls } from './table.ts';

/** One line. */
export function armingLine(
  { alias, ...money }: Money & { readonly alias: string },
  { armed, perOrderUsd, totalUsd, allow }: Answer<'GET /trade-accounts/{id}/arming'>,
): string {
  const name = stripControls(alias);
  if (!armed)
    return `${moneyWord(money)}: ${name} is not armed: nothing opens on it, and everything still closes.`;
  const programs = [...(allow.apiKeys ? ['API keys'] : []), ...(allow.grants ? ['agents'] : [])];
  const who = programs.length === 0 ? 'no program' : programs.join(' and ');
  return `${moneyWord(money)}: ${name} is armed, up to ${perOrderUsd} USD an order and ${totalUsd} USD in all; ${who} may open on it.`;
}

/** Disconnects every agent, one after the other: what fails does not keep the next one from being disconnected. */
import { Refusal, type TandemClient } from '../../../gateway/client/client.ts';

export interface RevokedAgents {
  readonly revoked: number;
  /** Still connected, and why. */
  readonly failed: readonly { readonly name: string; readonly error: unknown }[];
}

const GONE = 404;

/** @throws when not even the list of agents can be read */
export async function revokeAllAgents(client: TandemClient): Promise<RevokedAgents> {
  const { grants } = await client.call('GET /oauth2/grants');
  const failed: { name: string; error: unknown }[] = [];
  for (const { id, name } of grants) {
    try {
      await client.call('DELETE /oauth2/grants/{id}', { params: { id } });
    } catch (error) {
      // It has gone by itself, or from another tab.
      if (!(error instanceof Refusal && error.status === GONE)) failed.push({ name, error });
    }
  }
  return { revoked: grants.length - failed.length, failed };
}

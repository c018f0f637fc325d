/** Disconnects every agent, one after the other: a failure does not stop the next disconnection. */
import { Refusal, type TandemClient } from '../../../gateway/client/client.ts';

export interface RevokedAgents {
  readonly revoked: number;
  /** Agents that are still connected, with their errors. */
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
      // The agent is gone already, e.g. revoked from another tab.
      if (!(error instanceof Refusal && error.status === GONE)) failed.push({ name, error });
    }
  }
  return { revoked: grants.length - failed.length, failed };
}

/** Name of the person, key or agent that placed an order, as the caller may see it. */
import type { z } from 'zod';
import type { authority } from '../../contract/authority.ts';
import type { Placed } from '../../domain/authority.ts';
import type { Principal } from '../../domain/model.ts';

type Authority = z.input<typeof authority>;

/** Wire form of the authority under which an order was placed, as one caller may see it. */
export type NamePlaced = (placed: Placed) => Authority;

export interface AuthorityNames {
  to(asking: Principal): NamePlaced;
}

const YOU: Authority = { kind: 'session', name: 'you' };
const THE_USER: Authority = { kind: 'session', name: 'the user' };
const YOURSELF: Authority = { kind: 'oauth_grant', name: 'you' };
const ANOTHER_AGENT: Authority = { kind: 'oauth_grant', name: 'another agent' };

/** Names are looked up in memory, without waiting, because acknowledgements carry them. */
export function authorityNames(deps: {
  /** undefined: the API key is revoked. */
  readonly keyLabel: (keyId: string) => string | undefined;
  /** undefined: the grant does not exist. */
  readonly agentName: (grantId: string) => string | undefined;
}): AuthorityNames {
  const toUser: NamePlaced = ({ authorityKind: kind, authorityId }) => {
    const id = authorityId ?? '';
    if (kind === 'api_key') return { kind, name: deps.keyLabel(id) ?? 'a revoked API key' };
    if (kind === 'oauth_grant') return { kind, name: deps.agentName(id) ?? 'a disconnected agent' };
    return YOU;
  };
  return {
    to(asking) {
      if (asking.kind !== 'oauth_grant') return toUser;
      const { grantId } = asking;
      return ({ authorityKind, authorityId }) => {
        if (authorityKind !== 'oauth_grant') return THE_USER;
        return authorityId === grantId ? YOURSELF : ANOTHER_AGENT;
      };
    },
  };
}

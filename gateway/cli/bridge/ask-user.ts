/** Asks the user for a grant: registers, gives out the link, opens a browser, waits for the callback. */
import { createHash, randomBytes } from 'node:crypto';
import type { CallbackListener } from './callback-listener.ts';
import { listenForCallback } from './callback-listener.ts';
import type { TokenEndpoint, Tokens } from './token-endpoint.ts';

export interface Question {
  /** Address that the user opens. */
  readonly link: string;
  close(): void;
}

export type Decision =
  | { readonly kind: 'allowed'; readonly clientId: string; readonly tokens: Tokens }
  | { readonly kind: 'denied' }
  /** The user allowed it and the code could not be redeemed. */
  | { readonly kind: 'broken'; readonly why: string };

export interface Asking {
  readonly name: string;
  readonly scope: string;
  readonly origin: string;
  readonly endpoint: TokenEndpoint;
  /** Called once. Rejects when what was decided could not be kept. */
  decided(decision: Decision): Promise<void>;
}

const CONNECTED = 'Connected. You can close this page.';
const DENIED = 'Nothing was connected. You can close this page.';
const BROKEN = 'The connection could not be made. Ask your agent to connect again.';

/** Rejects with Away or Refusal when the gateway cannot be asked. */
export async function askUser({ name, scope, origin, endpoint, decided }: Asking): Promise<Question> {
  const verifier = secret();
  const state = secret();
  let clientId = '';
  let isOver = false;
  const listener: CallbackListener = await listenForCallback(async (parameters) => {
    if (parameters.get('state') !== state || isOver) return null;
    const code = parameters.get('code');
    const denied = parameters.get('error');
    if (code === null && denied === null) return null;
    isOver = true;
    try {
      if (code === null) {
        await decided({ kind: 'denied' });
        return DENIED;
      }
      const tokens = await endpoint.redeem(code, { clientId, redirectUri: listener.redirectUri, verifier });
      await decided({ kind: 'allowed', clientId, tokens });
      return CONNECTED;
    } catch (error) {
      await decided({ kind: 'broken', why: error instanceof Error ? error.message : String(error) }).catch(
        () => undefined,
      );
      return BROKEN;
    } finally {
      listener.close();
    }
  });
  try {
    clientId = await endpoint.register(name, listener.redirectUri);
  } catch (error) {
    listener.close();
    throw error;
  }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: listener.redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope,
    state,
    resource: `${origin}/mcp`,
  });
  return {
    link: `${origin}/authorize?${query}`,
    close() {
      isOver = true;
      listener.close();
    },
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

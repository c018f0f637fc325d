/** A page without a browser: its key, and requests that prove it. */
import { createPageKey, makeProof, type PageKey } from '../../gateway/client/key-proof.ts';
import type { GatewayClient, TestAnswer } from './gateway-client.ts';

export { createPageKey };

type Gateway = Pick<GatewayClient, 'request'> & { readonly port: number };

export async function newNonce(gateway: Gateway): Promise<string> {
  return (await gateway.request('GET', '/app/start')).headers.get('dpop-nonce') ?? '';
}

/** A proof for one request, anything about it as given. */
export async function proofFor(
  gateway: Gateway,
  key: PageKey,
  method: string,
  path: string,
  over: { readonly origin?: string; readonly nonce?: string | null } = {},
): Promise<string> {
  const { origin = `http://tandem.localhost:${gateway.port}`, nonce = await newNonce(gateway) } = over;
  return makeProof(key, { method, url: `${origin}${path}`, nonce });
}

/** One request with a good proof. */
export async function proved(
  gateway: Gateway,
  key: PageKey,
  method: string,
  path: string,
  body?: unknown,
): Promise<TestAnswer> {
  const dpop = await proofFor(gateway, key, method, path);
  return gateway.request(method, path, { headers: { dpop }, ...(body === undefined ? {} : { body }) });
}

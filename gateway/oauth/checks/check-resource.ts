import { MCP_PATH } from '../discovery.ts';
import type { OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

export type CheckResource = (facts: { readonly parameters: Parameters }) => OAuthFailure | null;

const PATHS: ReadonlySet<string> = new Set(['/', MCP_PATH, `${MCP_PATH}/`]);

/**
 * Passes when `resource` (RFC 8707 §2) is absent or names this gateway: a token for another server is not given out here, and
 * nobody is asked to consent to it.
 * @param ownHosts authorities that the gateway answers on, port included: `127.0.0.1:7391`
 */
export function createCheckResource(ownHosts: readonly string[]): CheckResource {
  const hosts = new Set(ownHosts.map((host) => new URL(`http://${host}`).host));
  return ({ parameters }) => {
    const resource = parameters.get('resource');
    return resource === '' || isOwn(resource, hosts) ? null : FOREIGN;
  };
}

const FOREIGN: OAuthFailure = {
  status: 400,
  error: 'invalid_target',
  description: 'The `resource` is not one of this gateway',
};

function isOwn(resource: string, hosts: ReadonlySet<string>): boolean {
  if (!URL.canParse(resource) || resource.includes('#')) return false;
  const { protocol, host, pathname, search, username, password } = new URL(resource);
  const isPlain = search === '' && username === '' && password === '';
  return protocol === 'http:' && isPlain && hosts.has(host) && PATHS.has(pathname);
}

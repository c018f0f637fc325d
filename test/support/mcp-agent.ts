/**
 * Parts that an application gives to the MCP SDK to sign its user in: storage in memory, and a user who allows each
 * request as soon as the SDK opens the authorisation page.
 */
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { ConsentVisitor } from './consent-visitor.ts';

export class McpAgent implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:9203/oauth/callback';
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'MCP agent',
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  /** Everything that the SDK has told to forget, in order. */
  readonly invalidated: string[] = [];
  /** Number of times that the user was asked. */
  consents = 0;
  registrations = 0;
  readonly #visitor: ConsentVisitor;
  readonly #scopes: readonly string[];
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  #state = '';
  #code: string | null = null;
  #discovery: OAuthDiscoveryState | undefined;

  constructor(visitor: ConsentVisitor, scopes: readonly string[]) {
    this.#visitor = visitor;
    this.#scopes = scopes;
  }

  /** The code of the last consent, once. */
  takeCode(): string {
    const code = this.#code;
    if (code === null) throw new Error('the user has not been asked');
    this.#code = null;
    return code;
  }

  state(): string {
    this.#state = crypto.randomUUID();
    return this.#state;
  }
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.registrations += 1;
    this.#client = client;
  }
  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }
  async redirectToAuthorization(link: URL): Promise<void> {
    this.consents += 1;
    const callback = await this.#visitor.allow(link, this.#scopes);
    if (callback.searchParams.get('state') !== this.#state) throw new Error('foreign state in the callback');
    this.#code = callback.searchParams.get('code');
  }
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    this.invalidated.push(scope);
    if (scope === 'all' || scope === 'client') this.#client = undefined;
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined;
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined;
  }
}

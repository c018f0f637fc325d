/**
 * A person in front of the consent page, without a browser: follows the redirect of `/authorize`, signs in and decides
 * through the same API as the page, with its cookies and the headers that a browser sends from that page.
 */
import { request } from 'node:http';
import { PASSWORD } from './gateway-client.ts';
import { type RawAnswer, readAnswer } from './raw-answer.ts';

export type VisitorAnswer = RawAnswer;

export interface ConsentVisitor {
  /** Opens the address that a client sends its user to. @returns uid of the interaction */
  open(authorizationUrl: URL | string): Promise<string>;
  read(uid: string): Promise<VisitorAnswer>;
  /** Keeps the session's cookie. */
  login(uid: string, password?: string): Promise<VisitorAnswer>;
  /** @param more what the page sends besides the scopes */
  confirm(uid: string, scopes: readonly string[], more?: object): Promise<VisitorAnswer>;
  /** Choices on the page; with a body, the meaning of the mandate in it. */
  terms(uid: string, body?: object): Promise<VisitorAnswer>;
  abort(uid: string): Promise<VisitorAnswer>;
  /** From the client's link to its callback: opens, signs in, allows `scopes`. */
  allow(authorizationUrl: URL | string, scopes: readonly string[], more?: object): Promise<URL>;
  /** The same with a refusal at the end. */
  deny(authorizationUrl: URL | string): Promise<URL>;
  /** `name=value; …` as it would be sent now. */
  cookies(): string;
}

export function consentVisitor(
  gateway: { readonly port: number },
  who: { readonly email?: string; readonly password?: string } = {},
): ConsentVisitor {
  const { email = 'ada@example.test', password: ownPassword = PASSWORD } = who;
  // The pages live on a host of their own. Not every system resolves it, so the connection goes to the address.
  const host = () => `tandem.localhost:${gateway.port}`;
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  function send(
    method: 'GET' | 'POST',
    path: string,
    over: { readonly host?: string; readonly body?: unknown } = {},
  ): Promise<VisitorAnswer> {
    const body = over.body === undefined ? '' : JSON.stringify(over.body);
    const headers = {
      host: over.host ?? host(),
      ...(jar.size === 0 || over.host !== undefined ? {} : { cookie: cookies() }),
      ...(method === 'GET' ? {} : { origin: `http://${host()}`, 'sec-fetch-site': 'same-origin' }),
      ...(body === ''
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const req = request(
        { host: '127.0.0.1', port: gateway.port, method, path, headers, agent: false },
        (res) => {
          for (const line of res.headers['set-cookie'] ?? []) {
            const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
            if (name !== undefined && value !== undefined) jar.set(name, value);
          }
          readAnswer(res).then(resolve, reject);
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  }

  const interaction = (uid: string, action = '') => `/interaction/${uid}${action}`;

  async function signedIn(authorizationUrl: URL | string): Promise<string> {
    const uid = await visitor.open(authorizationUrl);
    const login = await visitor.login(uid);
    if (login.status !== 200) throw new Error(`interaction login: ${login.status} ${login.text}`);
    return uid;
  }

  function callback(action: string, answer: VisitorAnswer): URL {
    if (answer.status !== 200) throw new Error(`interaction ${action}: ${answer.status} ${answer.text}`);
    return new URL(answer.json.returnTo);
  }

  const visitor: ConsentVisitor = {
    cookies,
    async open(authorizationUrl) {
      const url = new URL(authorizationUrl);
      const answer = await send('GET', `${url.pathname}${url.search}`, { host: url.host });
      if (answer.status !== 302) throw new Error(`authorize: ${answer.status} ${answer.text}`);
      const page = new URL(answer.headers.location ?? '');
      const [, folder, uid = '', ...rest] = page.pathname.split('/');
      if (page.host !== host() || folder !== 'consent' || rest.length > 0)
        throw new Error(`authorize leads to ${page.href}`);
      return uid;
    },
    read: (uid) => send('GET', interaction(uid)),
    login: (uid, password = ownPassword) =>
      send('POST', interaction(uid, '/login'), { body: { method: 'email', email, password } }),
    confirm: (uid, scopes, more = {}) =>
      send('POST', interaction(uid, '/confirm'), { body: { scopes, ...more } }),
    terms: (uid, body) =>
      body === undefined
        ? send('GET', interaction(uid, '/terms'))
        : send('POST', interaction(uid, '/terms'), { body }),
    abort: (uid) => send('POST', interaction(uid, '/abort')),
    async allow(authorizationUrl, scopes, more) {
      const uid = await signedIn(authorizationUrl);
      return callback('confirm', await visitor.confirm(uid, scopes, more));
    },
    async deny(authorizationUrl) {
      const uid = await signedIn(authorizationUrl);
      return callback('abort', await visitor.abort(uid));
    },
  };
  return visitor;
}

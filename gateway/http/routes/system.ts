import { type BoundRoute, bind } from '../../call/call.ts';
import { FrameworkError } from '../../call/errors.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import { CHALLENGE_HEADER, PROOF_HEADER } from '../../contract/shell-identity.ts';
import type { ReadinessCheck } from '../../contract/system.ts';
import {
  getDocs,
  getDocsAsset,
  getHealth,
  getMetrics,
  getOpenApi,
  getReady,
  getVersion,
} from '../../contract/system.ts';
import { type MoneyWord, moneyMode } from '../../domain/money.ts';
import { docsAsset, docsPage } from '../docs.ts';
import { API_VERSION, ASKED_ORIGIN } from '../openapi.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export interface SystemRouteDeps {
  /** Version of the program. */
  readonly version: string;
  /** For how long the process has run. */
  readonly uptimeMs: () => number;
  /** Checks of storage, keychain and each connector. A failed check is a row in the result; none throws. */
  readonly checks: () => Promise<readonly ReadinessCheck[]>;
  /** OpenAPI document as JSON text, see `createOpenApi`. */
  readonly openApi: () => Promise<string>;
  /** Metrics as Prometheus text, see system/metrics.ts. */
  readonly renderMetrics: () => string;
  /**
   * Origin of the pages (`http://tandem.localhost:7391`), on which the documentation does not run; null: the
   * documentation runs on every host.
   */
  readonly pageOrigin: () => string | null;
  /** Origin of the documentation (`http://127.0.0.1:7391`). */
  readonly docsOrigin: () => string;
  /** Kinds of money that the trade accounts use now, real money first. */
  readonly money: () => readonly MoneyWord[];
  /** Proves the gateway's identity by answering a challenge; null: the gateway has no secret to prove it with. */
  readonly prove: ((challenge: string) => string) | null;
}

export function systemRoutes(deps: SystemRouteDeps): readonly BoundRoute[] {
  // One copy in memory for all answers, as `shared-files.ts` keeps one of each file: the parts before and after the
  // address of the server.
  let openApi: Promise<readonly Buffer[]> | undefined;
  const version = { name: 'tandem-gateway' as const, version: deps.version, apiVersion: API_VERSION };
  /** True: the host is that of the pages, where a person is signed in and no foreign page is served. */
  const isOfPages = (host: string | undefined) => `http://${host}` === deps.pageOrigin();
  return [
    bind(getHealth, ({ headers }) => {
      const challenge = headers[CHALLENGE_HEADER];
      const money = [...deps.money()];
      const body = { status: 'ok' as const, mode: moneyMode(money), money };
      if (typeof challenge !== 'string' || deps.prove === null) return { body };
      return { body, headers: { [PROOF_HEADER]: deps.prove(challenge) } };
    }),
    bind(getReady, async () => {
      const checks = await deps.checks();
      return { body: { ready: checks.every((check) => check.ok), checks: [...checks] } };
    }),
    bind(getVersion, () => ({ body: { ...version, uptimeMs: deps.uptimeMs() } })),
    bind(getOpenApi, async ({ headers }) => {
      openApi ??= deps.openApi().then((text) => text.split(ASKED_ORIGIN).map((part) => Buffer.from(part)));
      const [before, ...after] = await openApi;
      // The guard accepts only hosts of this gateway.
      const address = Buffer.from(`http://${headers.host}`);
      const raw = Buffer.concat([before ?? Buffer.alloc(0), ...after.flatMap((part) => [address, part])]);
      return { headers: { 'content-type': JSON_TYPE }, raw };
    }),
    bind(getDocs, ({ headers }) => {
      if (isOfPages(headers.host))
        return { status: 302 as const, headers: { location: `${deps.docsOrigin()}${getDocs.path}` } };
      const page = docsPage();
      return { headers: page.headers, raw: page.content };
    }),
    bind(getDocsAsset, async ({ params, headers }) => {
      const asset = isOfPages(headers.host) ? null : await docsAsset(params.asset);
      if (asset === null) throw new FrameworkError(404, `Cannot GET /docs/${params.asset}`);
      return { headers: asset.headers, raw: asset.content };
    }),
    bind(getMetrics, ({ principal }) => {
      if (principal.kind === 'oauth_grant')
        throw new FrameworkError(403, AUTH_MESSAGES.methodNotPermitted(principal.kind));
      return {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        raw: deps.renderMetrics(),
      };
    }),
  ];
}

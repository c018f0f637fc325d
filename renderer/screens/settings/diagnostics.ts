/**
 * Facts about a gateway and its dashboard for support: versions, checks, venues, the last calls. The text holds no
 * name, address, amount, key or body, and ids are cut short, so that it can be sent to a stranger.
 */
import type { Answer } from '../../../gateway/client/client.ts';
import type { LoggedCall } from '../../api/request-log.ts';
import type { TradeAccount } from '../../api/session.ts';
import type { Settings } from '../../api/settings-values.ts';

export interface DiagnosticFacts {
  /** Time of the report, epoch ms. */
  readonly at: number;
  readonly version: Answer<'GET /version'> | null;
  readonly ready: Answer<'GET /ready'> | null;
  readonly connectors: Answer<'GET /connectors'>['connectors'] | null;
  readonly accounts: readonly Pick<TradeAccount, 'connector' | 'mode' | 'status'>[];
  readonly calls: readonly LoggedCall[];
  readonly settings: Settings;
  readonly connection: string;
  readonly browser: {
    readonly userAgent: string;
    readonly language: string;
    readonly width: number;
    readonly height: number;
  };
}

const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const EMAIL = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g;
const WALLET = /0x[0-9a-f]{40,}/gi;
const KEY = /tdm_[\w-]+/g;
const PATH = /(?:\/(?:home|Users)\/|[A-Z]:\\Users\\)[^\s"',;)]+/g;

/** The text without anything that identifies a person. */
export function redact(text: string): string {
  return text
    .replace(UUID, '$1-…')
    .replace(EMAIL, '[address]')
    .replace(WALLET, '[wallet]')
    .replace(KEY, '[key]')
    .replace(PATH, '[path]');
}

const redactOrNull = (text: string | null) => (text === null ? null : redact(text));

export function diagnosticsText(facts: DiagnosticFacts): string {
  const { version, ready, connectors, calls } = facts;
  const report = {
    made: new Date(facts.at).toISOString(),
    version,
    ready: ready && {
      ready: ready.ready,
      // The detail of the reconciliation check reveals positions.
      checks: ready.checks.map(({ name, ok, detail }) => ({
        name,
        ok,
        detail: name === 'reconciliation' ? null : redactOrNull(detail),
      })),
    },
    connectors: connectors?.map(({ id, mode, status, since, reason, capabilities }) => ({
      id,
      mode,
      status,
      since,
      reason: redactOrNull(reason),
      capabilities,
    })),
    accounts: facts.accounts.map(({ connector, mode, status }) => ({ connector, mode, status })),
    connection: facts.connection,
    settings: { ...facts.settings, limits: undefined },
    browser: facts.browser,
    calls: calls.map(({ at, method, path, status, milliseconds, requestId, failure }) => ({
      at: new Date(at).toISOString(),
      method,
      path: redact(path.split('?')[0] ?? ''),
      status,
      milliseconds,
      requestId,
      failure: redactOrNull(failure),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Browsers built on Chromium also name Chrome and Safari in their user agent, so the order counts: the first match
 * decides.
 */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chrome', /Chrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
];

/** A browser and its system by their usual names; the beginning of the text for unknown browsers. */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown program';
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = SYSTEMS.find(([, mark]) => mark.test(userAgent))?.[0];
    return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`;
  }
  return userAgent.slice(0, 80);
}

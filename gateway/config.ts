/**
 * Settings: `config.json` in the data folder < environment < flags, then one schema over the result, which has the
 * defaults. Flags, variables, file keys and help are made from the table below. A venue's plug adds the rows of the
 * venue's own settings and their part of the schema.
 */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { suggestion } from './cli/nearest.ts';
import { type FlagSpec, parseFlags } from './cli/parse-flags.ts';
import { fail, ok, type Result } from './domain/result.ts';
import { type SettingSource, same, wholeNumber, yesNo } from './setting-source.ts';
import { VENUE_PLUGS, VENUE_SETTINGS } from './venues/registry.ts';

const commaList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

const settingsSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(7391),
  dataDir: z.string().min(1),
  vault: z.enum(['auto', 'keychain', 'file', 'memory']).default('auto'),
  /** True: a file vault, whose key is stored next to it, may keep live venue credentials. */
  allowFileVault: z.boolean().default(false),
  registration: z.enum(['first', 'open', 'closed']).default('first'),
  /** `auto`: connections of other users of this machine are refused where the system tells a connection's user. */
  peerCheck: z.enum(['auto', 'off']).default('auto'),
  /** Other users of this machine, by name or number, who may connect despite the peer check. */
  allowUser: z
    .array(z.string().regex(/^(\d{1,10}|[A-Za-z_][\w.@-]{0,63}\$?)$/))
    .nullable()
    .default(null),
  /** The gateway runs in a container: it listens on the container's own network, see system/container.ts. */
  container: z.boolean().default(false),
  /** Names under which other containers reach it; only with `container`. */
  allowHost: z
    .array(z.string().regex(HOST_NAME, 'must be a host name in lower case'))
    .nullable()
    .default(null),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  ...VENUE_SETTINGS,
  /** True: the data folder may go on here, though it was used at another place or on another machine before. */
  takeOver: z.boolean().default(false),
  /** Once ready, print a JSON line instead of a sentence. */
  jsonReady: z.boolean().default(false),
  /** Open the documentation page in the browser once ready. */
  open: z.boolean().default(false),
  /** The desktop app started the gateway and exchanges messages with it over the channel between the two processes. */
  shell: z.boolean().default(false),
  /** Host name of the pages (`ui.host`). */
  uiHost: z.string().regex(HOST_NAME, 'must be a host name in lower case').default('tandem.localhost'),
  /** Life of an OAuth access token, seconds. */
  oauthAccessSeconds: z.int().min(30).max(86_400).default(900),
  /** Days without a refresh after which an OAuth grant ends. */
  oauthRefreshDays: z.int().min(1).max(365).default(30),
  /** Days after its consent at which an OAuth grant ends, even if it is refreshed; null: never by its age. */
  oauthGrantDays: z.int().min(1).max(3_650).nullable().default(null),
  /** Derives the file vault's key; from the environment only. */
  passphrase: z.string().min(8).nullable().default(null),
  /** Test only: executions are acknowledged and then held, so that the acknowledgement alone is measured. */
  heldRunner: z.boolean().default(false),
});

export type Settings = Readonly<z.infer<typeof settingsSchema>>;

// biome-ignore format: a table is read by its columns
const SOURCES: readonly SettingSource<keyof Settings>[] = [
  { name: 'port', variable: 'TANDEM_PORT', file: 'port', read: wholeNumber, expected: 'a port number from 0 to 65535',
    flag: { name: '--port', kind: 'text', value: '<port>', help: 'Port on the loopback addresses; 0 takes any free one (7391)' } },
  { name: 'dataDir', variable: 'TANDEM_DATA_DIR', read: same, expected: 'a folder',
    flag: { name: '--data-dir', kind: 'text', value: '<folder>', help: "Where everything is kept (the system's application-data folder)" } },
  { name: 'vault', variable: 'TANDEM_VAULT', file: 'vault', read: same, expected: 'auto, keychain, file or memory',
    flag: { name: '--vault', kind: 'text', value: '<kind>', help: 'Where secrets are kept: auto, keychain, file, memory (auto)' } },
  { name: 'allowFileVault', variable: 'TANDEM_ALLOW_FILE_VAULT', file: 'allowFileVault', read: yesNo, expected: 'true or false',
    flag: { name: '--allow-file-vault', kind: 'switch', help: 'Let live venue credentials into a file vault without a passphrase' } },
  { name: 'registration', variable: 'TANDEM_REGISTRATION', file: 'registration', read: same, expected: 'first, open or closed',
    flag: { name: '--registration', kind: 'text', value: '<who>', help: 'Who may register: first, open, closed (first)' } },
  { name: 'peerCheck', variable: 'TANDEM_PEER_CHECK', file: 'peerCheck', read: same, expected: 'auto or off',
    flag: { name: '--peer-check', kind: 'text', value: '<how>', help: "Refuse other users of this computer: auto, off (auto: where the system can tell)" } },
  { name: 'allowUser', variable: 'TANDEM_ALLOW_USER', file: 'allowUser', read: commaList, expected: 'names or numbers of users, with commas between them',
    flag: { name: '--allow-user', kind: 'text', value: '<names>', help: 'Other users of this computer who may connect (none)' } },
  { name: 'container', variable: 'TANDEM_CONTAINER', read: yesNo, expected: 'true or false',
    flag: { name: '--container', kind: 'switch', help: 'Listen on the network of the container that it runs in (docs/container.md)' } },
  { name: 'allowHost', variable: 'TANDEM_ALLOW_HOST', read: commaList, expected: 'host names in lower case, with commas between them',
    flag: { name: '--allow-host', kind: 'text', value: '<names>', help: 'With --container: names under which other containers reach it (none)' } },
  { name: 'logLevel', variable: 'TANDEM_LOG_LEVEL', file: 'logLevel', read: same, expected: 'debug, info, warn, error or silent',
    flag: { name: '--log-level', kind: 'text', value: '<level>', help: 'debug, info, warn, error, silent (info)' } },
  ...VENUE_PLUGS.flatMap(({ sources }) => sources),
  { name: 'takeOver', read: same, expected: 'no value',
    flag: { name: '--take-over', kind: 'switch', help: 'Go on with a data folder that was used elsewhere, where its gateway is stopped for good' } },
  { name: 'jsonReady', read: same, expected: 'no value',
    flag: { name: '--json-ready', kind: 'switch', help: 'Say that it is ready as a JSON line' } },
  { name: 'open', file: 'open', read: same, expected: 'true or false',
    flag: { name: '--open', kind: 'switch', help: 'Open the API documentation in the browser when ready' } },
  { name: 'shell', read: same, expected: 'no value',
    flag: { name: '--shell', kind: 'switch', hidden: true, help: '' } },
  { name: 'uiHost', variable: 'TANDEM_UI_HOST', file: 'ui.host', read: same, expected: 'a host name such as tandem.localhost',
    flag: { name: '--host-name', kind: 'text', value: '<name>', help: 'Host name of the pages (tandem.localhost)' } },
  { name: 'oauthAccessSeconds', variable: 'TANDEM_OAUTH_ACCESS_SECONDS', file: 'oauth.accessSeconds', read: wholeNumber, expected: 'seconds from 30 to 86400',
    flag: { name: '--oauth-access-seconds', kind: 'text', value: '<seconds>', help: "Life of an agent's access token (900)" } },
  { name: 'oauthRefreshDays', variable: 'TANDEM_OAUTH_REFRESH_DAYS', file: 'oauth.refreshDays', read: wholeNumber, expected: 'days from 1 to 365',
    flag: { name: '--oauth-refresh-days', kind: 'text', value: '<days>', help: 'Days without a refresh after which an agent is disconnected (30)' } },
  { name: 'oauthGrantDays', variable: 'TANDEM_OAUTH_GRANT_DAYS', file: 'oauth.grantDays', read: wholeNumber, expected: 'days from 1 to 3650',
    flag: { name: '--oauth-grant-days', kind: 'text', value: '<days>', help: 'Days after its consent at which an agent is disconnected in any case (never)' } },
  { name: 'passphrase', variable: 'TANDEM_PASSPHRASE', read: same, expected: 'at least 8 characters' },
];

/** The flags that a person can give `start`. */
export const SETTING_FLAGS: readonly FlagSpec[] = SOURCES.flatMap((source) =>
  source.flag === undefined || source.flag.hidden === true ? [] : [source.flag],
);

export interface Surroundings {
  /** Flags only, without `node`, script and command. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
}

/**
 * Settings of one start, or every problem found, one line each. Reads `config.json`, writes nothing: the data folder is
 * made by `ensureDataFolder`.
 */
export function loadSettings(around: Surroundings): Result<Settings, string[]> {
  const testing = around.env['NODE_ENV'] === 'test' || around.env['NODE_ENV'] === 'bench';
  const sources = testing ? [...SOURCES, ...testSources()] : SOURCES;
  const parsed = parseFlags(
    around.argv,
    sources.flatMap((source) => (source.flag === undefined ? [] : [source.flag])),
  );
  if (!parsed.ok) return fail([...parsed.error]);
  const flags = parsed.value;
  const stray = flags.words[0];
  if (stray !== undefined) return fail([`unexpected argument '${stray}'`]);

  const fromFlag = (source: SettingSource): unknown => {
    if (source.flag === undefined) return undefined;
    if (source.flag.kind === 'switch') return flags.switches.get(source.flag.name);
    const text = flags.texts.get(source.flag.name);
    return text === undefined ? undefined : source.read(text);
  };
  const fromVariable = (source: SettingSource): unknown => {
    const text = source.variable === undefined ? undefined : around.env[source.variable];
    // An empty variable is how scripts and service files unset one.
    return text === undefined || text === '' ? undefined : source.read(text);
  };

  const secret = passphraseOf(around.env);
  if (!secret.ok) return fail([secret.error]);
  const dataDir = dataDirOf(around, flags.texts.get('--data-dir'));
  const file = readConfigFile(join(dataDir, 'config.json'), sources);
  if (!file.ok) return fail(file.error);

  const chosen: Record<string, unknown> = Object.fromEntries(file.value);
  if (secret.value !== null) chosen['passphrase'] = secret.value;
  const origin = new Map<string, string>([...file.value.keys()].map((name) => [name, 'in config.json']));
  for (const source of sources) {
    const variable = fromVariable(source);
    if (variable !== undefined) {
      chosen[source.name] = variable;
      origin.set(source.name, `in ${source.variable}`);
    }
    const flag = fromFlag(source);
    if (flag !== undefined) {
      chosen[source.name] = flag;
      origin.set(source.name, '');
    }
  }
  chosen['dataDir'] = dataDir;

  const checked = settingsSchema.safeParse(chosen);
  if (checked.success) return ok(checked.data);
  const wrong = new Set(checked.error.issues.map((issue) => String(issue.path[0])));
  return fail(
    sources
      .filter((source) => wrong.has(source.name))
      .map((source) => complaint(source, chosen[source.name], origin.get(source.name) ?? '')),
  );
}

function complaint(source: SettingSource, value: unknown, where: string): string {
  const title = where === '' ? (source.flag?.name ?? source.name) : `${source.file ?? source.name} ${where}`;
  // A passphrase is never repeated, not even a refused one.
  const seen =
    source.name === 'passphrase'
      ? ''
      : `, not ${typeof value === 'string' ? `'${value}'` : JSON.stringify(value)}`;
  return `${title} must be ${source.expected}${seen}`;
}

/** The passphrase of a secret's file (`TANDEM_PASSPHRASE_FILE`), as containers hand secrets in; null: none is named. */
function passphraseOf(env: Surroundings['env']): Result<string | null, string> {
  const path = env['TANDEM_PASSPHRASE_FILE'];
  if (!path || env['TANDEM_PASSPHRASE']) return ok(null);
  try {
    return ok(readFileSync(path, 'utf8').replace(/\r?\n$/, ''));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    return fail(`TANDEM_PASSPHRASE_FILE: ${path} cannot be read${code}`);
  }
}

/** Path of the gateway's database. The paper venues keep their own files beside the database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'tandem.db');
}

/** Path of the file with the first user's set-up code, which exists until there is a user. */
export function setupCodeFile(dataDir: string): string {
  return join(dataDir, 'setup-code');
}

/** Absolute path of the data folder, from flag, environment or the system's place for application data. */
export function dataDirOf(around: Omit<Surroundings, 'argv'>, flag: string | undefined): string {
  const named = flag ?? (around.env['TANDEM_DATA_DIR'] || undefined);
  if (named === undefined) return join(applicationData(around), 'tandem');
  if (named === '~' || named.startsWith('~/')) return join(around.homedir, named.slice(1));
  return resolve(named);
}

function applicationData({ env, homedir, platform }: Omit<Surroundings, 'argv'>): string {
  if (platform === 'darwin') return join(homedir, 'Library', 'Application Support');
  // Not the roaming folder: an open database cannot be synchronised between machines.
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(homedir, 'AppData', 'Local');
  const xdg = env['XDG_DATA_HOME'];
  // Relative paths in XDG variables are invalid and ignored (XDG Base Directory Specification).
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir, '.local', 'share');
}

function readConfigFile(
  path: string,
  sources: readonly SettingSource[],
): Result<Map<string, unknown>, string[]> {
  let raw: string;
  try {
    if (statSync(path).isFIFO()) return fail([`${path} is a pipe, and no file; move it away`]);
    raw = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return ok(new Map());
    return fail([`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
  let value: unknown;
  try {
    value = JSON.parse(raw.replace(/^\uFEFF/, ''));
  } catch (error) {
    return fail([`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail([`${path} must hold a JSON object`]);
  const found = new Map<string, unknown>();
  const problems: string[] = [];
  const known = sources.flatMap((source) => source.file ?? []);
  for (const [key, inner] of flatten(value)) {
    const source = sources.find((one) => one.file === key);
    if (source === undefined) problems.push(`unknown setting '${key}' in ${path}${suggestion(key, known)}`);
    else found.set(source.name, inner);
  }
  return problems.length === 0 ? ok(found) : fail(problems);
}

/** Settings for tests, from a file that is not shipped: an installed program has no such settings. */
function testSources(): readonly SettingSource[] {
  const file = import.meta.url.endsWith('.cjs') ? './test-settings.cjs' : './test-settings.ts';
  try {
    return createRequire(import.meta.url)(file).TEST_SETTINGS;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return [];
    throw error;
  }
}

/** Nested keys as dotted paths: `{"ui":{"host":"x"}}` → `ui.host`. */
function flatten(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? flatten(inner, `${prefix}${key}.`)
      : [[`${prefix}${key}`, inner]],
  );
}

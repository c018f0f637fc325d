/**
 * Takes secrets out of logs, errors and transcripts: exactly known ones, values under the name of a secret, and texts
 * that look like a key or a signature.
 *
 * The rules take out too much rather than too little: a hash of a transaction looks like a signature and goes too.
 */
export interface Redactor {
  /** Takes this text out everywhere from now on, also percent-encoded. */
  learn(secret: string): void;
  forget(secret: string): void;
  text(text: string): string;
  /** A copy of plain data: objects, arrays, strings, errors. */
  value(value: unknown): unknown;
}

const GONE = '[redacted]';
/** Shorter secrets would take ordinary words out of logs. */
const SHORTEST_SECRET = 6;
const MOST_DEPTH = 8;

/** Names of fields, headers and query parameters that hold secrets, without case and punctuation. */
const SECRET_NAMES = [
  'signature',
  'sig',
  'sign',
  'secret',
  'secretkey',
  'apisecret',
  'apikey',
  'apikeyprivatekey',
  'apiprivatekey',
  'privatekey',
  'passphrase',
  'password',
  'auth',
  'authorization',
  'authtoken',
  'token',
  'accesstoken',
  'readonlytoken',
  'listenkey',
  'cookie',
  'setcookie',
  'xmbxapikey',
  'xbapiapikey',
  'xbapisign',
  'okaccesskey',
  'okaccesssign',
  'okaccesspassphrase',
  'mnemonic',
  'seed',
] as const;
const IS_SECRET: ReadonlySet<string> = new Set(SECRET_NAMES);

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** `"name": "value"`, also inside a quoted JSON text; `name: value`; `name=value`. */
const NAMED =
  /(\\*"|\b)([A-Za-z][A-Za-z0-9_-]{2,40})(\\*"?\s*[:=]\s*)(\\*"(?:[^"\\]|\\(?!"))*|[^\s"&,;{}[\]]+)/g;
/** Schemes of an `Authorization` header, whose value continues after a space. */
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi;
/** 32 bytes or more in hex: private keys, signatures, their halves. Addresses (20 bytes) and order ids (16) stay. */
const LONG_HEX = /(?:0x)?[0-9a-fA-F]{64,}/g;
/** Keys and tokens of letters and digits, as venues make them; words and paths are shorter or hold other signs. */
const LONG_TOKEN = /[A-Za-z0-9_+=-]{40,}/g;
/** Address of an account, which people have to read. */
const ADDRESS = /(?<![A-Za-z0-9])0x[0-9a-fA-F]{40}(?![A-Za-z0-9])/g;
/** Base64 with its closing signs: signatures of 32 bytes. */
const BASE64 = /[A-Za-z0-9+/]{42,}={1,2}/g;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();

  function text(input: string): string {
    let out = input;
    // Longest first: one may be a part of another.
    for (const secret of [...secrets].sort((a, b) => b.length - a.length)) out = out.replaceAll(secret, GONE);
    return out
      .replace(BEARER, `$1 ${GONE}`)
      .replace(NAMED, (whole, open: string, name: string, between: string, value: string) => {
        if (!IS_SECRET.has(plainName(name)) || /^\\*"?(null|true|false)$/.test(value)) return whole;
        const quote = /^\\*"/.exec(value)?.[0] ?? '';
        return `${open}${name}${between}${quote}${GONE}`;
      })
      .replace(BASE64, GONE)
      .replace(LONG_HEX, GONE)
      .replace(LONG_TOKEN, (token) => (isWordLike(token) ? token : GONE));
  }

  function value(input: unknown, depth = 0): unknown {
    if (typeof input === 'string') return text(input);
    if (input === null || typeof input !== 'object') return input;
    if (depth >= MOST_DEPTH) return GONE;
    if (input instanceof Error) {
      const copy: Record<string, unknown> = { name: input.name, message: text(input.message) };
      if (input.stack !== undefined) copy['stack'] = text(input.stack);
      if (input.cause !== undefined) copy['cause'] = value(input.cause, depth + 1);
      return copy;
    }
    // Bytes in an object that is logged are a key or a body, never something to read.
    if (ArrayBuffer.isView(input) || input instanceof ArrayBuffer) return GONE;
    if (Array.isArray(input)) return input.map((item) => value(item, depth + 1));
    const entries = input instanceof Map ? [...input] : Object.entries(input);
    return Object.fromEntries(
      entries.map(([name, item]) => {
        const hidden = IS_SECRET.has(plainName(String(name))) && item !== null && typeof item !== 'boolean';
        return [text(String(name)), hidden ? GONE : value(item, depth + 1)];
      }),
    );
  }

  return {
    learn(secret) {
      for (const form of formsOf(secret)) secrets.add(form);
    },
    forget(secret) {
      for (const form of formsOf(secret)) secrets.delete(form);
    },
    text,
    value: (input) => value(input),
  };
}

function isWordLike(token: string): boolean {
  const rest = token.replace(ADDRESS, '');
  return rest !== token ? rest.search(LONG_TOKEN) < 0 : !/[0-9]/.test(token) || !/[A-Za-z]/.test(token);
}

/** Forms in which a secret appears: as it is, percent-encoded, in JSON, and hex in either case. */
function formsOf(secret: string): string[] {
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const hex = /^(?:0x)?([0-9a-f]+)$/i.exec(secret)?.[1];
  if (hex !== undefined) forms.push(hex, hex.toLowerCase(), hex.toUpperCase());
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}

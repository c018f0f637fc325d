/**
 * The gateway's log: one JSON line a record on standard error, or short readable lines on a terminal.
 * Secrets are kept out: fields are redacted by name, texts by the shape of API keys and tokens.
 */
import { type DestinationStream, destination, pino } from 'pino';
import type { Logger } from '../engine/ports/system.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Stream that gets the lines; default standard error. */
  readonly stream?: DestinationStream;
  /** Readable lines instead of JSON; default: where standard error is a terminal. */
  readonly pretty?: boolean;
}

const SECRET_NAME =
  /^(authorization|proxyauthorization|cookie|setcookie|xapikey|apikey|key|code|codeverifier|verifier|token|accesstoken|refreshtoken|idtoken|ticket|password|passphrase|current|next|passwordhash|refreshhash|keyhash|secret|secretkey|apisecret|clientsecret|privatekey|signature|credentials?|mnemonic|seedphrase)$/;
const SECRET_TEXT = /tdm_[A-Za-z0-9_-]{8,}|eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;
const REDACTED = '[redacted]';
const DEPTH_LIMIT = 6;

/** A copy of `value` without secrets, for the log. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(SECRET_TEXT, REDACTED);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_LIMIT) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    copy[name] = isSecret(name, inner) ? REDACTED : redact(inner, depth + 1);
  }
  return copy;
}

/** A field `code` is a secret OAuth code, unless its value is an error code such as `EACCES`. */
function isSecret(name: string, value: unknown): boolean {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  if (!SECRET_NAME.test(plain) || value === null || value === undefined) return false;
  return !(plain === 'code' && typeof value === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(value));
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  const described: Record<string, unknown> = {
    name: error.name,
    message: redact(error.message),
    stack: redact(error.stack),
  };
  if ('code' in error) described['code'] = redact(error.code);
  if (error.cause !== undefined) described['cause'] = redact(error.cause, depth + 1);
  return described;
}

export function createLogger(options: LoggerOptions): Logger {
  const plain = options.stream ?? destination({ dest: 2, sync: true });
  const pretty = options.pretty ?? (options.stream === undefined && process.stderr.isTTY === true);
  const stream = pretty ? prettyStream(plain) : plain;
  const sink = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    // Skips redacting, which copies the fields, for a line below the log level.
    if (!sink.isLevelEnabled(level)) return;
    sink[level](Object(redact(fields)), message.replace(SECRET_TEXT, REDACTED));
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** `12:34:56.789 WARN  message  name=value` from pino's JSON lines. */
function prettyStream(out: DestinationStream): DestinationStream {
  return {
    write(line: string) {
      const record: unknown = JSON.parse(line);
      const { level, time, msg, ...fields } = Object(record) as Record<string, unknown>;
      const rest = Object.entries(fields).map(([name, value]) => `  ${name}=${inline(value)}`);
      const clock = String(time).slice(11, 23);
      out.write(`${clock} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}${rest.join('')}\n`);
    },
  };
}

function inline(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value);
  if (typeof value === 'object' && value !== null && 'stack' in value) return String(value.stack);
  return JSON.stringify(value);
}

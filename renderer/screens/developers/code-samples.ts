/**
 * Sample programs that repeat a call of the dashboard. The key comes from the environment, so that no sample ever
 * holds a secret.
 */
import type { LoggedCall } from '../../api/request-log.ts';

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

export type SampledCall = Pick<LoggedCall, 'method' | 'path' | 'headers' | 'body'>;

/** Routes for a person's session only: the gateway refuses an API key there. */
const SESSION_ONLY: readonly (readonly [RegExp, RegExp])[] = [
  [/./, /^\/(api-keys|auth|oauth2|interaction|audit-log|app)(\/|$|\?)/],
  [/^(POST|PATCH)$/, /^\/integrations(\/|$|\?)/],
];

export function isSessionOnly({ method, path }: Pick<SampledCall, 'method' | 'path'>): boolean {
  return SESSION_ONLY.some(([methods, paths]) => methods.test(method) && paths.test(path));
}

const NOTE = 'Only a signed-in session may call this: an API key is refused with 403.';

/** A text in single quotes for a POSIX shell. */
function shell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A JSON string is a valid string literal in JavaScript and Python. */
const literal = (text: string) => JSON.stringify(text);

/** A JSON value in Python's notation. */
export function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => `${inner}${pythonLiteral(one, inner)},\n`)
    : Object.entries(value).map(([name, one]) => `${inner}${literal(name)}: ${pythonLiteral(one, inner)},\n`);
  const [open, close] = isList ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join('')}${indent}${close}`;
}

function bodyOf({ body }: SampledCall): unknown {
  return body === null ? undefined : JSON.parse(body);
}

function headerList({ headers }: SampledCall): readonly (readonly [string, string])[] {
  return Object.entries(headers);
}

function curl(origin: string, call: SampledCall): string {
  const body = bodyOf(call);
  const lines = [
    `curl -X ${call.method} ${shell(`${origin}${call.path}`)}`,
    `  -H "x-api-key: $TANDEM_API_KEY"`,
    ...headerList(call).map(([name, value]) => `  -H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${shell(JSON.stringify(body))}`]),
  ];
  return `${isSessionOnly(call) ? `# ${NOTE}\n` : ''}${lines.join(' \\\n')}\n`;
}

function typescript(origin: string, call: SampledCall): string {
  const body = bodyOf(call);
  const written = JSON.stringify(body, null, 2)?.replaceAll('\n', '\n  ');
  const headers = headerList(call).map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`);
  return [
    isSessionOnly(call) ? `// ${NOTE}\n` : '',
    `const response = await fetch(${literal(`${origin}${call.path}`)}, {\n`,
    `  method: ${literal(call.method)},\n`,
    `  headers: {\n    "x-api-key": process.env.TANDEM_API_KEY ?? "",\n${headers.join('')}  },\n`,
    written === undefined ? '' : `  body: JSON.stringify(${written}),\n`,
    '});\nconsole.log(response.status, await response.text());\n',
  ].join('');
}

function python(origin: string, call: SampledCall): string {
  const body = bodyOf(call);
  const headers = headerList(call).map(([name, value]) => `        ${literal(name)}: ${literal(value)},\n`);
  return [
    isSessionOnly(call) ? `# ${NOTE}\n` : '',
    'import os\n\nimport requests\n\n',
    `response = requests.request(\n    ${literal(call.method)},\n    ${literal(`${origin}${call.path}`)},\n`,
    `    headers={\n        "x-api-key": os.environ["TANDEM_API_KEY"],\n${headers.join('')}    },\n`,
    body === undefined ? '' : `    json=${pythonLiteral(body, '    ')},\n`,
    '    timeout=10,\n)\nprint(response.status_code, response.text)\n',
  ].join('');
}

const WRITERS: Readonly<Record<Language, (origin: string, call: SampledCall) => string>> = {
  curl,
  TypeScript: typescript,
  Python: python,
};

/** @param origin gateway's address as bots reach it: `http://127.0.0.1:7391` */
export function codeSample(language: Language, origin: string, call: SampledCall): string {
  // The idempotency key is replaced: an order repeated under it would only return the first order.
  const { 'idempotency-key': key, ...headers } = call.headers;
  const fresh = key === undefined ? headers : { ...headers, 'idempotency-key': 'choose-your-own' };
  return WRITERS[language](origin, { ...call, headers: fresh });
}

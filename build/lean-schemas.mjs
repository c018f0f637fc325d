// Cuts the contract down to the schemas that the forms of pages are checked with. The rest (documentation, schemas of
// answers, the writing of JSON schemas) serves the gateway's own documents, and would be half of the contract in a
// browser.
import { parseAst } from 'vite';

const CONTRACT = /\/gateway\/contract\/[\w-]+\.ts$/;
const PAGE = /\/renderer\/.+\.tsx?$/;
const HAS_SCHEMAS = /from ['"]zod['"]/;
const ZOD = /\/zod\/v4\/\w+\/schemas\.js$/;
/** Fields of a route that only its answer and its documentation need. */
const ROUTE_DOCUMENTS = new Set([
  'tag',
  'summary',
  'description',
  'success',
  'errors',
  'refusals',
  'auth',
  'firstParty',
]);

/** Name of a schema's method that documents it → number of its arguments. */
const MAKERS_OF_DOCUMENTS = new Map([
  ['meta', 1],
  ['register', 2],
]);

/**
 * Methods that no schema of a page uses, each of which would bring the code of its kind (formats of strings, classes,
 * coding): a schema that uses one stops the build.
 */
const UNUSED_METHODS = [
  'email url jwt emoji guid uuid uuidv4 uuidv6 uuidv7 nanoid cuid cuid2 ulid base64 base64url xid ksuid',
  'ipv4 ipv6 cidrv4 cidrv6 e164 datetime date time duration slugify',
  'exactOptional nonoptional exactPartial required and prefault readonly',
  'encode decode encodeAsync decodeAsync safeEncode safeDecode safeEncodeAsync safeDecodeAsync validate validateAsync',
].flatMap((names) => names.split(' '));
const cutMethod = (name) => [
  new RegExp(
    `^ {4}(?:async )?${name}(?:: (?:async )?function \\w+)?\\(.*\\) \\{\\n(?: {8}.*\\n)* {4}\\},?$`,
    'm',
  ),
  '',
];
const UNUSED = new Set(UNUSED_METHODS);

/** A call of one on a schema, which may have a name, not of `z` itself or `z.iso`, whose functions stay. */
function isUnusedCall({ type, callee }) {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression' || callee.computed) return false;
  const { object, property } = callee;
  const isZod = object.name === 'z' || (object.object?.name === 'z' && object.property.name === 'iso');
  return !isZod && UNUSED.has(property.name);
}

/** Applies the edits `[from, to, text]` to the source; no edit lies within another. */
function edited(source, edits) {
  let rest = source;
  for (const [from, to, text] of edits.toSorted((a, b) => b[0] - a[0]))
    rest = rest.slice(0, from) + text + rest.slice(to);
  return rest;
}

function visit(node, look) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const one of node) visit(one, look);
    return;
  }
  if (typeof node.type !== 'string' || look(node) === 'done') return;
  for (const value of Object.values(node)) visit(value, look);
}

/**
 * A call `schema.meta({…})` or `schema.register(DOCS, {…})`, to be cut to `schema`. It can stand in a chain, and in the
 * arguments of one.
 */
function isMeta(node) {
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    MAKERS_OF_DOCUMENTS.get(node.callee.property.name) === node.arguments.length
  );
}

function documentsOf(route) {
  const [declared] = route.arguments;
  if (declared?.type !== 'ObjectExpression') return [];
  const { properties } = declared;
  return properties
    .map((property, index) => ({ property, end: properties[index + 1]?.start ?? declared.end - 1 }))
    .filter(({ property }) => ROUTE_DOCUMENTS.has(property.key?.name))
    .map(({ property, end }) => [property.start, end, '']);
}

function refuseUnused(program, code) {
  visit(program, (node) => {
    if (isUnusedCall(node)) {
      const call = code.slice(node.callee.object.start, node.end);
      throw new Error(`${call}: the schemas of pages have no such method (UNUSED_METHODS)`);
    }
  });
}

function leanContract(code) {
  const program = parseAst(code);
  refuseUnused(program, code);
  const edits = [];
  const declared = program.body
    .map((node) => node.declaration ?? node)
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap(({ declarations }) => declarations);
  const makers = new Set(['route', 'routesWith']);
  for (const { id, init } of declared) if (init?.callee?.name === 'routesWith') makers.add(id.name);
  visit(program, (node) => {
    if (isMeta(node)) edits.push([node.callee.object.end, node.end, '']);
    if (node.type !== 'CallExpression' || !makers.has(node.callee.name)) return 'on';
    const documents = documentsOf(node);
    edits.push(...documents);
    // Removed fields are not searched: their calls of `meta` go with them.
    for (const { start, end, value } of node.arguments[0]?.properties ?? [])
      if (!documents.some(([from, to]) => start >= from && end <= to)) visit(value, metaInto(edits));
    return 'done';
  });
  // Marked as pure, a schema that nobody reads is dropped with all its parts.
  for (const { init } of declared)
    if (init?.type === 'CallExpression')
      edits.push([init.start, init.start, '/* @__PURE__ */ (() => '], [init.end, init.end, ')()']);
  return edited(code, edits);
}

function metaInto(edits) {
  return (node) => {
    if (isMeta(node)) edits.push([node.callee.object.end, node.end, '']);
  };
}

/**
 * Code cut from zod's own files: writers of JSON schemas and what is read off a schema for them, checks compiled from
 * strings, which the page's policy forbids, and the care about values that contain themselves, which no JSON does.
 */
const ZOD_CUTS = {
  '/zod/v4/classic/schemas.js': [
    ...UNUSED_METHODS.map(cutMethod),
    [/processors\.aggregateChecks\(inst\)/g, '({})'],
    [/^ *if \(!core\.globalConfig\.memoizer\)\n.*$/m, ''],
    [/core\.\$ZodObjectJIT\.init/, 'core.$ZodObject.init'],
    [/^ *inst\._zod\.processJSONSchema = .*;$/gm, ''],
    [/^ *toJSONSchema\(params\) \{\n.*\n *\},$/m, ''],
    [/^ *jsonSchema: \{\n.*\n.*\n *\},$/m, ''],
  ],
  '/zod/v4/core/schemas.js': [
    [/const jit = .*;/, 'const jit = false;'],
    [/^ *const generateFastpass = [\s\S]*?^ {4}\};$/m, ''],
    [/fastpass = generateFastpass\(.*\);/, ''],
  ],
};

function leanZod(code, cuts) {
  let rest = code;
  for (const [pattern, text] of cuts) {
    const cut = rest.replace(pattern, text);
    if (cut === rest) throw new Error(`zod is written differently now: ${pattern} finds nothing`);
    rest = cut;
  }
  return rest;
}

export const leanSchemas = {
  name: 'lean-schemas',
  enforce: 'post',
  transform: {
    filter: { id: [CONTRACT, ZOD, PAGE] },
    handler(code, id) {
      if (PAGE.test(id)) {
        if (HAS_SCHEMAS.test(code)) refuseUnused(parseAst(code), code);
        return null;
      }
      if (CONTRACT.test(id)) return { code: leanContract(code), map: null };
      const [, cuts] = Object.entries(ZOD_CUTS).find(([file]) => id.endsWith(file)) ?? [];
      return cuts === undefined ? null : { code: leanZod(code, cuts), map: null };
    },
  },
};

// Mutations of TypeScript: edits that change what the code does. They are found in the syntax tree, so types, imports,
// comments and strings are left alone, and so are log messages.
import { parseSync } from '@swc/core';

/** The kinds of edits, by the name that a report shows. */
export const OPERATORS = ['comparison', 'guard', 'sign', 'condition', 'logic', 'await', 'min-max', 'call'];

const TOKENS = {
  '<': { operator: 'comparison', to: '<=' },
  '<=': { operator: 'comparison', to: '<' },
  '>': { operator: 'comparison', to: '>=' },
  '>=': { operator: 'comparison', to: '>' },
  '===': { operator: 'comparison', to: '!==' },
  '!==': { operator: 'comparison', to: '===' },
  '&&': { operator: 'logic', to: '||' },
  '||': { operator: 'logic', to: '&&' },
  '+': { operator: 'sign', to: '-' },
  '-': { operator: 'sign', to: '+' },
  '+=': { operator: 'sign', to: '-=' },
  '-=': { operator: 'sign', to: '+=' },
};

/** Methods of decimals and of `Math`. */
const METHODS = {
  lt: { operator: 'comparison', to: 'lte' },
  lte: { operator: 'comparison', to: 'lt' },
  gt: { operator: 'comparison', to: 'gte' },
  gte: { operator: 'comparison', to: 'gt' },
  plus: { operator: 'sign', to: 'minus' },
  minus: { operator: 'sign', to: 'plus' },
  min: { operator: 'min-max', to: 'max' },
  max: { operator: 'min-max', to: 'min' },
};

const JUMPS = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement']);
const LOGS = new Set(['log', 'logger', 'console']);

/**
 * The syntax tree. The parser counts bytes, so each character outside ASCII is replaced by one of one byte: positions in
 * the tree are then positions in the text. Such characters stand in strings and comments only.
 * @throws when the text is not TypeScript
 */
export function parse(text, { tsx = false } = {}) {
  const ascii = text.replace(/[^\0-\x7f]/g, '_');
  return parseSync(ascii, { syntax: 'typescript', tsx, target: 'es2024' });
}

export function isParsable(text) {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Every place of the text where an operator applies, in the order of the text. */
export function mutationsOf(text) {
  // Positions are counted from an offset of the parser's own; the first statement, put before the text, tells it.
  const { body } = parse(`;${text}`);
  const offset = body[0].span.end;
  const source = {
    text,
    start: (node) => node.span.start - offset,
    end: (node) => node.span.end - offset,
    of: (node) => text.slice(node.span.start - offset, node.span.end - offset),
  };
  const found = [];
  for (const node of nodesIn(body))
    for (const edit of EDITS[node.type]?.(node, source) ?? []) found.push(placed(edit, text));
  return found.sort(
    (a, b) => a.start - b.start || OPERATORS.indexOf(a.operator) - OPERATORS.indexOf(b.operator),
  );
}

/** The text with the mutation in it. */
export function mutated(text, { start, end, to }) {
  return text.slice(0, start) + to + text.slice(end);
}

/** The edit with its line and column (from 1), the text it replaces, and the whole line. */
function placed({ operator, start, end, to }, text) {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(0, lineStart).split('\n').length;
  const code = text.slice(lineStart).split('\n', 1)[0].trim();
  return {
    line,
    column: start - lineStart + 1,
    operator,
    from: text.slice(start, end),
    to,
    code,
    start,
    end,
  };
}

function* nodesIn(value) {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesIn(item);
    return;
  }
  if (isType(value) || isLog(value)) return;
  yield value;
  for (const child of Object.values(value)) yield* nodesIn(child);
}

/** `a as T`, `a!` and the like have an expression inside. */
const isType = (node) => node.type?.startsWith('Ts') === true && node.expression === undefined;

function isLog(node) {
  let inner = node.type === 'ExpressionStatement' ? node.expression : node;
  inner = callOf(inner);
  if (inner === null) return false;
  for (let owner = memberOf(inner)?.object; owner !== undefined; owner = owner.object)
    if (LOGS.has(owner.value) || LOGS.has(owner.property?.value)) return true;
  return false;
}

/** The call in `call()`, `await call()`, `void call()` and `a?.call()`; null for everything else. */
function callOf(node) {
  if (node.type === 'CallExpression') return node;
  if (node.type === 'AwaitExpression') return callOf(node.argument);
  if (node.type === 'UnaryExpression' && node.operator === 'void') return callOf(node.argument);
  if (node.type === 'OptionalChainingExpression') return callOf(node.base);
  return null;
}

/** `owner.method` of a call, inside or outside an optional chain. */
function memberOf({ callee }) {
  const member = callee.type === 'OptionalChainingExpression' ? callee.base : callee;
  return member.type === 'MemberExpression' ? member : undefined;
}

const EDITS = {
  BinaryExpression: tokenEdits,
  AssignmentExpression: tokenEdits,
  CallExpression: methodEdits,

  *UnaryExpression(node, source) {
    if (node.operator !== '-') return;
    yield edit('sign', node, source, source.of(node.argument));
  },

  *IfStatement(node, source) {
    if (node.alternate === null && jumps(node.consequent)) yield edit('guard', node, source, ';');
    yield edit('condition', node.test, source, `!(${source.of(node.test)})`);
  },

  *ConditionalExpression({ test }, source) {
    yield edit('condition', test, source, `!(${source.of(test)})`);
  },

  *AwaitExpression(node, source) {
    yield edit('await', node, source, source.of(node.argument));
  },

  *ExpressionStatement(node, source) {
    const call = callOf(node.expression);
    if (call !== null && call.callee.type !== 'Super') yield edit('call', node, source, ';');
  },
};

const edit = (operator, node, source, to) => ({
  operator,
  start: source.start(node),
  end: source.end(node),
  to,
});

function* tokenEdits(node, source) {
  const change = TOKENS[node.operator];
  if (change === undefined || (node.operator.startsWith('+') && isText(node))) return;
  const gapStart = source.end(node.left);
  // A comment beside the operator may hold the same characters.
  const gap = source.text
    .slice(gapStart, source.start(node.right))
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => ' '.repeat(comment.length));
  const start = gapStart + gap.indexOf(node.operator);
  yield { ...change, start, end: start + node.operator.length };
}

function* methodEdits(node, source) {
  const property = memberOf(node)?.property;
  if (property?.type !== 'Identifier' || !Object.hasOwn(METHODS, property.value)) return;
  const { operator, to } = METHODS[property.value];
  yield edit(operator, property, source, to);
}

/** Text that is put together: `-` makes no sense there. */
function isText(node) {
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
  if (node.type === 'ParenthesisExpression') return isText(node.expression);
  if (node.type === 'AssignmentExpression') return isText(node.right);
  return (
    node.type === 'BinaryExpression' && node.operator === '+' && (isText(node.left) || isText(node.right))
  );
}

function jumps(statement) {
  if (statement.type !== 'BlockStatement') return JUMPS.has(statement.type);
  const last = statement.stmts.at(-1);
  return last !== undefined && JUMPS.has(last.type);
}

// Checks code for two rules that nobody should have to remember:
// - No function is longer than 100 lines.
// - No comment begins with What, Whether, Those or That: it begins with the thing that it is about.
// Longer functions of before the rule are in long-functions.json. `--list` prints its content for the code as it is.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'vite';
import { CODE_FOLDERS, sourceFiles } from './source-files.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_LINES = 100;
const CODE = /\.(ts|tsx|mts|cts|js|mjs|cjs)$/;
/** Suites of tests are functions too: only the product has the rule. */
const OF_PRODUCT = /^(gateway|renderer|main|build)\//;
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const VAGUE = /^[\s*]*(What|Whether|Those|That)\b/;

/**
 * Functions of more than 100 lines.
 * @returns `name of the function, or of what it is the value of` → lines; the longest of one name
 */
export function longFunctions(path, text) {
  const lines = lineStarts(text);
  const found = new Map();
  const visit = (node, name) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const one of node) visit(one, name);
      return;
    }
    const own = node.id?.name ?? node.key?.name ?? name;
    if (FUNCTION.test(node.type) && node.body) {
      const count = lineAt(lines, node.end) - lineAt(lines, node.start) + 1;
      if (count > MAX_LINES) found.set(own, Math.max(count, found.get(own) ?? 0));
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'type') visit(value, own);
  };
  visit(parseSync(path, text).program, '');
  return found;
}

/** Lines, from 1, of comments that begin with a vague word. */
export function vagueComments(path, text) {
  const lines = lineStarts(text);
  return parseSync(path, text)
    .comments.filter(({ value }) => VAGUE.test(value))
    .map(({ start }) => lineAt(lines, start));
}

/**
 * Functions that break the rule, in words.
 * @param long `path#name` → lines
 * @param ceilings `path#name` → lines that a function may have
 */
export function functionFaults(long, ceilings) {
  const grown = [...long].flatMap(([name, count]) => {
    const ceiling = ceilings.get(name) ?? MAX_LINES;
    return count > ceiling ? [`${name}: ${count} lines, at most ${ceiling}: split it`] : [];
  });
  const gone = [...ceilings.keys()]
    .filter((name) => !long.has(name))
    .map((name) => `${name}: remove it from build/long-functions.json`);
  return [...grown, ...gone];
}

function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts, offset) {
  const after = starts.findIndex((start) => start > offset);
  return after === -1 ? starts.length : after;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const long = new Map();
  const vague = [];
  for (const path of sourceFiles(ROOT, CODE_FOLDERS, CODE)) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    if (/\b(What|Whether|Those|That)\b/.test(text))
      for (const line of vagueComments(path, text)) vague.push(`${path}:${line}: begins with a vague word`);
    if (!OF_PRODUCT.test(path)) continue;
    for (const [name, count] of longFunctions(path, text)) long.set(`${path}#${name}`, count);
  }
  if (process.argv.includes('--list')) {
    console.log(JSON.stringify(Object.fromEntries(long), null, 2));
  } else {
    const ceilings = JSON.parse(readFileSync(join(ROOT, 'build', 'long-functions.json'), 'utf8'));
    const faults = [...functionFaults(long, new Map(Object.entries(ceilings))), ...vague];
    for (const fault of faults) console.error(fault);
    console.log(`${long.size} functions of more than ${MAX_LINES} lines; ${vague.length} vague comments`);
    if (faults.length > 0) process.exitCode = 1;
  }
}

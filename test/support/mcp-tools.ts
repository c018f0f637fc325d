/** Tools offered to agents that may trade, by the reference of mcp-contract.test.ts. */
import { readFileSync } from 'node:fs';
import type { Json } from './json.ts';

/** One tool a line. Made anew by MCP_TOOLS=write. */
export const TOOLS_REFERENCE = new URL('../data/mcp-tools.json', import.meta.url);

export const TOOL_NAMES: readonly string[] = JSON.parse(readFileSync(TOOLS_REFERENCE, 'utf8')).map(
  ({ name }: Json) => name,
);

export const namesOf = (tools: readonly Json[]): readonly string[] => tools.map(({ name }) => name);

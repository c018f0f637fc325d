/** Definition of a tool: two schemas, hints, and a run that asks routes. Schemas are made once, at program load. */
import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Principal } from '../domain/model.ts';
import type { Ask, CheckRequest, Place } from './ask.ts';
import type { Changes } from './changes.ts';
import { fault } from './fault.ts';
import type { McpProgramDeps } from './parts.ts';
import type { Previews } from './previews.ts';
import type { Said } from './said.ts';
import type { Waits } from './wait-slots.ts';

export interface ToolContext
  extends Pick<
    McpProgramDeps,
    | 'describe'
    | 'kept'
    | 'judgeAsk'
    | 'protectionIf'
    | 'pauseProblem'
    | 'previewRefused'
    | 'suspend'
    | 'ownParts'
    | 'waitingApprovals'
    | 'clock'
    | 'ids'
  > {
  readonly principal: Principal;
  readonly ask: Ask;
  readonly check: CheckRequest;
  readonly place: Place;
  /** True: the credential may trade, within its limits. */
  readonly mayTrade: boolean;
  readonly changes: Changes;
  readonly waits: Waits;
  readonly previews: Previews;
  /** Aborted when the client gave up, or the gateway stops. */
  readonly signal: AbortSignal;
  /** Reports progress to the client, if the client has asked for it. */
  readonly progress: (done: number, total: number, message: string) => Promise<void>;
}

export interface ToolDefinition<In extends z.ZodObject, Out extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: In;
  readonly output: Out;
  readonly annotations: ToolAnnotations;
  /** Only callers that may trade see it. */
  readonly trades?: boolean;
  run(context: ToolContext, input: z.output<In>): Promise<Said<z.input<Out>>>;
}

export interface Tool {
  readonly name: string;
  readonly trades: boolean;
  readonly input: z.ZodObject;
  readonly listed: ListedTool;
  run(context: ToolContext, input: unknown): Promise<Said<Record<string, unknown>>>;
}

export function tool<In extends z.ZodObject, Out extends z.ZodObject>(
  definition: ToolDefinition<In, Out>,
): Tool {
  const { name, title, description, input, output, annotations, trades = false } = definition;
  return {
    name,
    trades,
    input,
    listed: {
      name,
      title,
      description,
      inputSchema: jsonSchema(input, 'input'),
      outputSchema: { type: 'object', anyOf: [jsonSchema(output, 'output'), FAULT] },
      annotations: { title, ...annotations },
    },
    run: (context, given) => definition.run(context, given as z.output<In>),
  };
}

/** An answer is the result, or this: said in words, because a model reads it once for every tool. */
const FAULT: ListedTool['inputSchema'] = {
  type: 'object',
  properties: { error: { type: 'object', description: `Instead, where it could not: ${faultWords()}` } },
  required: ['error'],
};

function faultWords(): string {
  return Object.entries(fault.shape.error.shape)
    .map(([name, { description }]) => (description === undefined ? name : `${name} (${description})`))
    .join(', ');
}

/** JSON schema without parts that a model need not read: every letter costs. Arguments are checked here anyway. */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema: one }) => {
      // The format says it all.
      if (one.format !== undefined) delete one.pattern;
      if (io === 'output') delete one.additionalProperties;
    },
  });
  return { ...made, type: 'object' } as ListedTool['inputSchema'];
}

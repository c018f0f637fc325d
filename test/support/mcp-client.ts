/** Connected clients of both SDK generations with a credential that a test already has. */
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Json } from './json.ts';

type Headers = Readonly<Record<string, string>>;

export async function oldClient(url: string, headers: Headers): Promise<OldClient> {
  const client = new OldClient({ name: 'test 1.x', version: '1' });
  await client.connect(
    new OldTransport(new URL('/mcp', url), { requestInit: { headers: { ...headers } } }) as never,
  );
  return client;
}

export async function newClient(url: string, headers: Headers): Promise<NewClient> {
  const client = new NewClient({ name: 'test 2.x', version: '1' });
  await client.connect(new NewTransport(new URL('/mcp', url), { requestInit: { headers: { ...headers } } }));
  return client;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Json;
}

/** Calls a tool; the client checks the result against the tool's output schema. */
export async function callTool(
  client: Pick<NewClient, 'callTool'>,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<ToolAnswer> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...args } });
  const [first] = content as readonly { readonly type: string; readonly text?: string }[];
  return { isError: isError === true, text: first?.text ?? '', data: structuredContent };
}

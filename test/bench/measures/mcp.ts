/** What a tool call of an agent costs on top of the route that it asks. */
import { Agent, request } from 'node:http';
import type { Benchmark } from '../bench-context.ts';
import { type Gateway, newGateway } from '../gateway-home.ts';
import { median, spread } from '../statistics.ts';
import { valueMeasure } from '../verdict.ts';

const GOAL_MS = 1.5;
const REVISION = '2026-07-28';
const CALLS_A_ROUND = 200;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const route = ({ apiKey }: Gateway): Asked => ({
  method: 'GET',
  path: '/trade-accounts',
  headers: { 'x-api-key': apiKey },
  body: '',
});

function tool({ apiKey }: Gateway): Asked {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': 'whoami',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'whoami', arguments: {}, _meta: meta },
    }),
  };
}

/** Milliseconds until the whole answer was there. */
function timed(port: number, agent: Agent, { method, path, headers, body }: Asked): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
      answer.on('error', reject);
      answer.on('end', () => resolve(performance.now() - began));
      answer.resume();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const mcp: Benchmark = async ({ rounds, say }) => {
  const gateway = await newGateway();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const ways = { route: route(gateway), tool: tool(gateway) };
    const found = { route: [] as number[], tool: [] as number[] };
    // One round more, in which V8 compiles what the others run.
    for (let round = 0; round <= rounds; round += 1) {
      const took = { route: [] as number[], tool: [] as number[] };
      for (let call = 0; call < CALLS_A_ROUND; call += 1) {
        took.route.push(await timed(gateway.port, agent, ways.route));
        took.tool.push(await timed(gateway.port, agent, ways.tool));
      }
      if (round === 0) continue;
      found.route.push(median(took.route));
      found.tool.push(median(took.tool));
      say(`mcp: round ${round} of ${rounds}`);
    }
    return [
      valueMeasure(
        {
          name: 'mcp/1/tool-call-over-route',
          about:
            'p50 of a call of whoami less p50 of GET /trade-accounts, which it asks, in turns, one connection',
          unit: 'ms',
          goal: { bound: 'at most', value: GOAL_MS },
          figures: {
            routeMs: median(found.route),
            toolMs: median(found.tool),
            routeSpread: spread(found.route),
          },
        },
        median(found.tool) - median(found.route),
      ),
    ];
  } finally {
    agent.destroy();
    await gateway.stop();
  }
};

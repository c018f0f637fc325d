/** The whole server without its commit against the least that Node can do with the same bytes. */
import { type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { startServer } from '../child-programs.ts';
import { compared, rates } from '../closed-loop-figures.ts';
import { type Gateway, newGateway } from '../gateway-home.ts';
import { orderTarget } from '../measured-gateways.ts';
import { alternate } from '../rounds.ts';
import { type Measure, ratioMeasure } from '../verdict.ts';

/** Node writes these itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

function bodyOf(request: Buffer | undefined): string {
  return request?.toString().split('\r\n\r\n')[1] ?? '';
}

/** One answer of the gateway, for the bare server to repeat. */
async function capture(gateway: Gateway, body: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/trade/open`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': gateway.apiKey,
      'x-trade-account-id': gateway.tradeAccountId,
    },
    body,
  });
  const text = await response.text();
  if (response.status !== 202) throw new Error(`expected 202, got ${response.status}: ${text.slice(0, 200)}`);
  const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name)).flat();
  return JSON.stringify({ status: 202, headers, body: text });
}

export const http: Benchmark = async (context) => {
  const gateway = await newGateway({ store: 'uncommitted' });
  try {
    const whole = await orderTarget(gateway);
    const bareAnswer = await capture(gateway, bodyOf(whole.requests[0]));
    const bare = await startServer('bare', { BARE_ANSWER: bareAnswer });
    try {
      // The same request bytes. The gateway looks at the port in `Host`, the bare server does not.
      const least: Target = { ...whole, port: bare.port, pid: bare.pid };
      const measures: Measure[] = [];
      await warmUp(context, whole, 64);
      await warmUp(context, least, 64);
      for (const [connections, goal] of [
        [64, 0.33],
        [1, 0.8],
      ] as const) {
        context.say(`http: ${connections} connections`);
        const found = await alternate(context.rounds, {
          bare: loop(context, least, connections),
          gateway: loop(context, whole, connections),
        });
        measures.push(
          ratioMeasure(
            {
              name: `http/${connections}/gateway-vs-bare`,
              about: `POST /trade/open a second, the server without its commit ÷ bare node:http that parses the body and answers the same bytes, ${connections} connections`,
              goal: { bound: 'at least', value: goal },
              figures: {
                ...compared(['bare', found.bare], ['gateway', found.gateway]),
                requestBytes: whole.requests[0]?.length ?? 0,
                answerBytes: bareAnswer.length,
              },
            },
            rates(found.bare),
            rates(found.gateway),
          ),
        );
      }
      return measures;
    } finally {
      await bare.stop();
    }
  } finally {
    await gateway.stop();
  }
};

/** A page of `/markets/baskets` over 39,800 pairs while every price moves. */
import { requestBytes } from '../basket-requests.ts';
import { type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { startServer } from '../child-programs.ts';
import { loopFigures } from '../closed-loop-figures.ts';
import { alternate } from '../rounds.ts';
import { valueMeasure } from '../verdict.ts';

const CONNECTIONS = 1;
const PAIRS = 39_800;
const PAGE = 50;

/** The first page (materialized baskets), pages at every depth, and searches. */
function pages(): readonly string[] {
  const deep = Array.from({ length: 64 }, (_, index) => `&offset=${Math.floor((index * PAIRS) / 64)}`);
  const searches = ['t1', 'T19', '7-perp', 't150'].map((text) => `&search=${text}&offset=100`);
  return ['', ...deep, ...searches].map((query) => `/markets/baskets?connector=paper&limit=${PAGE}${query}`);
}

export const baskets: Benchmark = async (context) => {
  const server = await startServer('discovery');
  try {
    const paths = pages();
    const body = await (await fetch(`http://127.0.0.1:${server.port}${paths.at(-1)}`)).text();
    // What the machine itself adds: the same bytes from the least that Node can do.
    const headers = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(body))];
    const bareAnswer = { status: 200, headers, body };
    const bare = await startServer('bare', { env: { BARE_ANSWER: JSON.stringify(bareAnswer) } });
    try {
      const target = ({ port, pid }: { readonly port: number; readonly pid: number }): Target => ({
        port,
        pid,
        requests: paths.map((path) => requestBytes(port, 'GET', path, {})),
        status: 200,
      });
      await warmUp(context, target(server), CONNECTIONS);
      await warmUp(context, target(bare), CONNECTIONS);
      context.say('baskets');
      const found = await alternate(context.rounds, {
        bare: loop(context, target(bare), CONNECTIONS),
        pages: loop(context, target(server), CONNECTIONS),
      });
      const [figures, machine] = [loopFigures(found.pages), loopFigures(found.bare)];
      return [
        valueMeasure(
          {
            name: 'baskets/page-p99',
            about: `GET /markets/baskets, ${PAGE} rows at any depth of ${PAIRS} pairs or of a search, all 200 prices moving ten times a second, 99th percentile`,
            unit: 'ms',
            goal: { bound: 'at most', value: 10 },
            figures: {
              ...figures,
              answerBytes: body.length,
              bareP50Us: machine.p50Us,
              bareP99Us: machine.p99Us,
            },
          },
          figures.p99Us / 1_000,
          machine.p99Us / 1_000,
        ),
      ];
    } finally {
      await bare.stop();
    }
  } finally {
    await server.stop();
  }
};

/** Errors of a `tandem` option name the option, never the API field that it fills. */
import { request } from 'node:http';
import { expect } from 'chai';
import { describedCommands } from '../../gateway/cli/command-table.ts';
import { type CommandEnd, tandem } from '../support/command-line.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { type ProvingServer, serveAs } from '../support/proving-stand-in.ts';
import { PAIR, type Trader, trader } from '../support/trader.ts';

const EMAIL = 'ada@example.test';
const BASKET = ['--long', 'BTC=500', '--short', 'ETH=500'];
const SOL = ['--long', 'SOL=5000'];

/** A command line of each command that sends its options, which is refused for nothing but what replaces one of them. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  'keys create': ['--email', EMAIL],
  'agents limits': ['--email', EMAIL],
  'accounts add': ['Second'],
  'paper fault': ['partial', '--seconds', '1'],
  'webhooks add': ['http://127.0.0.1:9/hook', '--event', '*'],
  'notify add': ['ntfy', '--topic', 'tandem-test-topic'],
  'webhooks log': [],
  'notify log': [],
  markets: [],
  book: ['BTC'],
  open: [...BASKET, '--dry-run'],
  positions: [],
  close: ['<position>', '--dry-run'],
  reverse: ['<position>', '--dry-run'],
  protect: ['<position>', '--take-profit', '50%'],
  executions: [],
  orders: [],
  funding: [],
  triggers: [],
  'triggers open': [...BASKET, '--when', 'ratio<0.001'],
  alerts: [],
  'alerts add': ['--long', 'BTC', '--short', 'ETH', '--when', 'ratio>99000000'],
  'alerts change': ['<alert>'],
  twap: [],
  'twap open': [...SOL, '--duration', '600'],
  ladders: [],
  'ladders open': [...SOL, '--of', 'SOL', '--below', '90,80', '--levels', '5'],
  approvals: ['--email', EMAIL],
};
/** Their options do not reach a route of the paper gateway, or are read by nobody but the command. */
const ELSEWHERE = new Set([
  ...['start', 'doctor', 'mcp', 'watch', 'tail', 'listen', 'panic', 'balance', 'reviews'],
  ...['venue check', 'venue arm', 'venue connect', 'paper faults', 'paper clear', 'webhooks rotate'],
  ...['keys list', 'keys revoke', 'agents list', 'agents pause', 'agents resume', 'approve', 'deny'],
]);
const OF_ALL = new Set(['--url', '--port', '--data-dir', '--email', '--account', '--timeout']);
const BAD = [
  'nonsense',
  '-1',
  '0',
  '1.5',
  '1e9',
  '99999999999999',
  '2001-02-30',
  '=',
  'x'.repeat(300),
  '\u00e9',
];
/** Values that pass what the command line looks at, and that the gateway refuses. */
const OWN_BAD: Readonly<Record<string, readonly string[]>> = {
  '--expires': ['2001-01-01T00:00:00Z'],
  '--from': ['2999-01-01'],
  '--lookback': ['5', '99999'],
  '--long': ['BTC=0.000001', 'ETH=500'],
  '--short': ['ETH=999999999999', 'BTC=5'],
  '--when': ['BTC<0.0000000000000000001', 'ratio>0.001', 'dominance>500', 'nobody/knows>60', 'BTC>1'],
  '--take-profit': ['0.0001%', 'ratio=99000000000', 'price=5', 'usd=1000000000000000'],
  '--stop-loss': ['99999%', 'ratio=0.0000001', 'value=99999999999'],
  '--below': ['90,90', '80,90', '0.0000001,0.00000001'],
  '--above': ['90,90', '1,2'],
  '--server': ['http://127.0.0.1:1', 'ftp://example.test'],
  '--fraction': ['2', '0.9999999999999999999'],
  '--leverage': ['BTC=9999'],
  '--total': ['0.01'],
};

describe('what tandem says of options that are refused', () => {
  let gateway: TestGateway;
  let bot: Trader;
  let positionId = '';
  let alertId = '';
  /** Before the gateway of this process, which holds no lock: proves itself to the command line, as one that runs does. */
  let front: ProvingServer;

  before(async () => {
    gateway = await startTestGateway();
    bot = await trader(gateway, { email: EMAIL });
    await bot.open(PAIR);
    positionId = (await bot.positions())[0].id;
    const condition = { type: 'PRICE', direction: 'MORE_THAN', symbol: 'BTC-PERP', value: '99000000' };
    alertId = (await bot.call('POST', '/alerts', { condition })).json.id;
    front = await serveAs(gateway.dataDir, (incoming, response) => {
      const { method, headers, url: path } = incoming;
      const inner = new URL(path ?? '/', gateway.url);
      const onward = request(inner, { method, headers: { ...headers, host: inner.host } }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(onward);
    });
  });
  after(async () => {
    await front?.close();
    await gateway?.close();
  });

  const run = (line: readonly string[]): Promise<CommandEnd> =>
    tandem(
      line.map((word) => (word === '<position>' ? positionId : word === '<alert>' ? alertId : word)),
      {
        env: {
          TANDEM_URL: front.url,
          TANDEM_DATA_DIR: gateway.dataDir,
          TANDEM_API_KEY: bot.key,
          TANDEM_ACCOUNT: bot.accountId,
          TANDEM_PASSWORD: PASSWORD,
        },
      },
    );

  it('every command with options of its own is looked at', async () => {
    const own = (await describedCommands()).filter(({ command }) =>
      command.flags.some(
        ({ kind, name }) => kind !== 'switch' && !['--url', '--port', '--data-dir'].includes(name),
      ),
    );
    const known = new Set([...Object.keys(LINES), ...ELSEWHERE]);
    expect(
      own.map(({ name }) => name).filter((name) => !known.has(name) && !isOfAccountOnly(name)),
    ).to.deep.equal([]);

    function isOfAccountOnly(name: string): boolean {
      const flags = own.find((one) => one.name === name)?.command.flags ?? [];
      return flags.every(({ kind, name: flag }) => kind === 'switch' || OF_ALL.has(flag));
    }
  });

  for (const [name, rest] of Object.entries(LINES))
    it(`tandem ${name}`, async () => {
      const command = (await describedCommands()).find((one) => one.name === name)?.command;
      const options = (command?.flags ?? []).filter(
        ({ kind, name: flag }) => kind !== 'switch' && !OF_ALL.has(flag),
      );
      const found: string[] = [];
      let refused = 0;
      for (const { name: flag } of options) {
        const given = without(rest, flag);
        for (const bad of [...BAD, ...(OWN_BAD[flag] ?? [])]) {
          const line = [...name.split(' '), ...given, `${flag}=${bad}`];
          const { code, err } = await run(line);
          if (code !== 0) refused += 1;
          expect(err).not.to.match(/does not prove|no gateway/);
          const fields = fieldsIn(err.replaceAll(bad, '…'));
          if (code !== 0 && fields.length > 0) found.push(`${line.join(' ').slice(0, 160)}\n    ${err}`);
        }
      }
      expect(found.join('\n')).to.equal('');
      if (options.length > 0) expect(refused).to.be.above(0);
    });
});

/** The line without an option and its value. */
function without(line: readonly string[], flag: string): readonly string[] {
  return line.filter((word, index) => word !== flag && line[index - 1] !== flag);
}

/** Names of the API in a sentence: `totalUsd`, `legs.0.amount`, and `levels: …`, which says of a field what is wrong. */
function fieldsIn(sentence: string): readonly string[] {
  return [
    ...sentence.matchAll(/\b[a-z]+(?:[A-Z][a-z]*)+\w*\b/g),
    ...sentence.matchAll(/\b[a-z]+\.(?:\d+|[a-z]+)(?=[.:])/g),
    ...sentence.matchAll(/(?:^tandem: |; )[a-z_]+(?=: )/g),
  ].map(([name]) => name);
}

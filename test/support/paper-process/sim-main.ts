/**
 * `venue-sim`: a paper venue in a process of its own.
 *
 *     node --import tsx test/support/paper-process/sim-main.ts --data-dir <folder> [--port 0] [--seed 1]
 *       [--profile realistic] [--connector paper] [--speed 1]
 *
 * Prints one line of JSON, `{"ready":true,"connector":…,"port":…,"pid":…}`, and runs until SIGTERM, SIGINT or the end of
 * its standard input, so that it never outlives its parent process. Log lines go to standard error.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '../../../gateway/system/clock.ts';
import { createLogger } from '../../../gateway/system/logger.ts';
import type { PaperProfileName } from '../../../gateway/venues/paper/market/market-types.ts';
import { PAPER_PROFILES } from '../../../gateway/venues/paper/market/profile.ts';
import { createPaperVenue } from '../../../gateway/venues/paper/venue/venue.ts';
import { serveVenue } from './sim-server.ts';

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    profile: { type: 'string', default: 'realistic' },
    connector: { type: 'string', default: 'paper' },
    speed: { type: 'string', default: '1' },
  },
});

function isProfile(name: string): name is PaperProfileName {
  return Object.hasOwn(PAPER_PROFILES, name);
}

function numberOf(name: 'port' | 'seed' | 'speed'): number {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} must be a number of at least 0`);
  return value;
}

async function main(): Promise<void> {
  const dataDir = values['data-dir'];
  const { profile, connector } = values;
  if (dataDir === undefined) throw new Error('--data-dir is missing');
  if (!isProfile(profile)) throw new Error(`there is no profile ${profile}`);
  if (connector !== 'paper' && connector !== 'paper-cross')
    throw new Error(`there is no connector ${connector}`);
  const logger = createLogger({ level: 'warn' });
  const venue = createPaperVenue({
    connector,
    dataDir,
    seed: numberOf('seed'),
    profile: PAPER_PROFILES[profile],
    speed: numberOf('speed'),
    clock: systemClock,
    logger,
  });
  await venue.start();
  const server = await serveVenue(venue, numberOf('port'), logger);

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await server.close();
    await venue.stop();
    process.exit(0);
  };
  const stopOrFail = () => {
    stop().catch((error: unknown) => {
      logger.error({ error }, 'the simulated venue could not stop');
      process.exit(1);
    });
  };
  process.on('SIGTERM', stopOrFail);
  process.on('SIGINT', stopOrFail);
  process.stdin.on('end', stopOrFail);
  process.stdin.on('error', stopOrFail);
  process.stdin.resume();
  process.stdout.write(
    `${JSON.stringify({ ready: true, connector, port: server.port, pid: process.pid })}\n`,
  );
}

await main();

/**
 * A gateway as its composition root makes it, in a process of its own, with one part exchanged where a comparison needs it:
 *   BENCH_STORE      durable · uncommitted · orm-save · orm-insert · append   (how the acknowledging commit is done)
 *   BENCH_UNCHECKED  true: the first credential that is accepted counts for every later request
 * Settings come from the environment as always. Says `{ port }` over the pipe when it listens; ends when the pipe closes.
 * Asked `watch-loop` and then `longest-delay`, it tells how late a timer of its event loop was at most in between, ms.
 * Asked `{ shock, factor }`, it multiplies the paper venue's price of that instrument.
 * Asked `screen-whole`, it screens made pairs and tells how long that took, ms; `screen-begin` and `screen-end` in two parts.
 * Asked `kept-bytes`, it collects its garbage and tells its resident memory.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadSettings } from '../../gateway/config.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { Authentication, Authenticator } from '../../gateway/http/handler.ts';
import { createGateway } from '../../gateway/index.ts';
import { openStore, type StoreOptions } from '../../gateway/store/open-store.ts';
import { ensureDataFolder } from '../../gateway/system/data-folder.ts';
import { makeObjectsYoung, saveMemory } from '../../gateway/system/heap.ts';
import { withAppendLog } from './baselines/append-store.ts';
import { withOrmTransactions } from './baselines/orm-store.ts';
import { type Screening, startScreening } from './screening.ts';

async function openMeasuredStore(options: StoreOptions): Promise<Store> {
  switch (process.env['BENCH_STORE']) {
    case 'uncommitted':
      return openStore({ ...options, commitMode: 'none' });
    case 'orm-save':
      return withOrmTransactions(await openStore(options), options.file, 'save');
    case 'orm-insert':
      return withOrmTransactions(await openStore(options), options.file, 'insert');
    case 'append':
      return withAppendLog(await openStore(options), join(options.file, '..', 'append.log'));
    default:
      return openStore(options);
  }
}

function unchecked(real: Authenticator): Authenticator {
  let accepted: Authentication | null = null;
  return {
    authenticate(headers) {
      if (accepted !== null) return accepted;
      const answer = real.authenticate(headers);
      if (!(answer instanceof Promise) && answer.ok) accepted = answer;
      return answer;
    },
  };
}

makeObjectsYoung();
const loaded = loadSettings({ argv: [], env: process.env, homedir: homedir(), platform: process.platform });
if (!loaded.ok) throw new Error(loaded.error.join('; '));
// Built into one file, the program has no file of test settings beside it.
const settings = { ...loaded.value, heldRunner: process.env['TANDEM_HELD_RUNNER'] === 'true' };
const folder = ensureDataFolder(settings.dataDir);
if (!folder.ok) throw new Error(folder.error);

const gateway = await createGateway(settings, {
  openStore: openMeasuredStore,
  ...(process.env['BENCH_UNCHECKED'] === 'true' ? { authenticator: unchecked } : {}),
});

let closing = false;
process.on('disconnect', () => {
  if (closing) return;
  closing = true;
  void gateway.close().finally(() => process.exit(0));
});
const RESOLUTION_MS = 1;
let screening: Screening | null = null;
let watch = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
process.on('message', (question: string | { readonly shock: string; readonly factor: number }) => {
  if (typeof question === 'object') {
    void gateway
      .paperVenue('paper')
      .shock(question.shock, question.factor)
      .then(() => process.send?.(0));
  } else if (question === 'watch-loop') {
    watch = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    watch.enable();
    process.send?.(0);
  } else if (question === 'screen-whole' || question === 'screen-begin') {
    screening?.end();
    screening = startScreening();
    const told = question === 'screen-whole' ? screening.done() : screening.begun();
    void told.then((ms) => process.send?.(ms ?? 0));
  } else if (question === 'screen-end') {
    screening?.end();
    process.send?.(0);
  } else if (question === 'kept-bytes') {
    void saveMemory().then(() => process.send?.(process.memoryUsage.rss()));
  } else {
    watch.disable();
    process.send?.(Math.max(0, watch.max / 1e6 - RESOLUTION_MS));
  }
});
process.send?.({ port: gateway.port });

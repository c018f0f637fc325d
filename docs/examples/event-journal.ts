/**
 * Event journal: writes every event of the account once, also when it is killed at any moment (`kill -9`).
 *
 * A line of the file is an event with its `seq`. The last line is the place from which the next start goes on, so that an
 * event and its place are written together. A line that a kill has cut off is removed, and its event comes again.
 *
 * Your own action for an event goes where the comment says. After a kill it is repeated for one event:
 * the one whose line was not written. Give it the `seq` as its key, as an order's `Idempotency-Key` for instance.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  truncateSync,
} from 'node:fs';
import { createClient } from 'tandem-gateway/client';

const { env } = process;
const file = env['JOURNAL'] ?? 'events.jsonl';

const tandem = createClient({
  url: env['TANDEM_URL'],
  apiKey: env['TANDEM_API_KEY'],
  tradeAccountId: env['TANDEM_ACCOUNT'],
});

/** `seq` of the last whole line; undefined: this is the first start. */
function place(): number | undefined {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(file, end);
  const last = bytes.subarray(0, end).toString('utf8').trimEnd().split('\n').at(-1);
  return last === undefined || last === '' ? undefined : Number(JSON.parse(last).seq);
}

const resumeFrom = place();
const journal = openSync(file, 'a');

function write(line: object): void {
  appendFileSync(journal, `${JSON.stringify(line)}\n`);
  // The line is on disk before the next event is taken: a loss of power loses nothing either.
  fsyncSync(journal);
}

let isPlaced = resumeFrom !== undefined;
for await (const message of tandem.events(resumeFrom === undefined ? {} : { resumeFrom })) {
  if (message.kind === 'subscribed' && !isPlaced) {
    // The place of the first start: events from here on are not lost, even where none has come yet.
    write({ seq: Object.values(message.seq)[0], event: 'subscribed' });
    isPlaced = true;
  }
  if (message.kind === 'resync') {
    // It did not run for seven days: what came before is read over HTTP.
    write({ seq: message.seq, event: 'resync' });
  }
  if (message.kind !== 'event') continue;
  const { seq, event, entityId, timestamp } = message;
  // Here goes what you do for an event.
  write({ seq, event, entityId, timestamp });
}
closeSync(journal);

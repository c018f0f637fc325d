/**
 * Standing `subscriptions/listen` of a client: the lists are the bridge's own matter, changes of resources come from the
 * gateway over a stream that is opened anew whenever it ended.
 */
import type { Clock } from '../../engine/ports/system.ts';
import { errorOf, type Fields, type Id, isFields, type Request, RPC, SUBSCRIPTION_KEY } from './messages.ts';
import type { OwnAnswers } from './own-answers.ts';

export interface Listeners {
  open(request: Request): void;
  /** @returns false: there is none with this id */
  cancel(id: Id): boolean;
  /** Tells of a list that changed. */
  changed(method: string): void;
  close(): void;
}

interface Standing {
  readonly request: Request;
  readonly honoured: Fields;
  readonly end: AbortController;
}

const MOST = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

const LISTS: Readonly<Record<string, string>> = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
};

/** @param follow one stream of the gateway: resolves when it ended, with the error that it answered, if it did */
export function listeners(options: {
  readonly write: (message: Fields) => void;
  readonly own: OwnAnswers;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly follow: (request: Request, signal: AbortSignal) => Promise<Fields | null>;
}): Listeners {
  const { write, own, clock, follow } = options;
  const standing = new Map<Id, Standing>();
  const stamp = (id: Id) => ({ _meta: { [SUBSCRIPTION_KEY]: id } });

  function end(id: Id): boolean {
    const found = standing.get(id);
    found?.end.abort();
    return standing.delete(id);
  }

  async function keepFollowing({ request, end: ended }: Standing): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!ended.signal.aborted) {
      const started = performance.now();
      const refusal = await follow(request, ended.signal);
      if (ended.signal.aborted) return;
      if (refusal !== null) {
        standing.delete(request.id);
        write(refusal);
        return;
      }
      // One that has stood was not refused: the next is tried soon.
      pause = performance.now() - started > LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : pause;
      await clock.sleep(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  return {
    open(request) {
      const filter = request.params['notifications'];
      if (!isFields(filter)) {
        write(errorOf(request.id, RPC.params, "'notifications' is required and must be an object"));
        return;
      }
      if (standing.size >= MOST) {
        write(errorOf(request.id, RPC.internal, `At most ${MOST} subscriptions at a time`));
        return;
      }
      const uris = filter['resourceSubscriptions'];
      const honoured: Fields = {
        ...Object.fromEntries(
          Object.keys(LISTS).flatMap((name) => (filter[name] === true ? [[name, true]] : [])),
        ),
        ...(Array.isArray(uris) && uris.length > 0 ? { resourceSubscriptions: uris } : {}),
      };
      write({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: honoured, ...stamp(request.id) },
      });
      if (Object.keys(honoured).length === 0) {
        write(own.answer(request, stamp(request.id)));
        return;
      }
      const made: Standing = { request, honoured, end: new AbortController() };
      standing.set(request.id, made);
      if ('resourceSubscriptions' in honoured) void keepFollowing(made);
    },
    cancel: end,
    changed(method) {
      for (const [id, { honoured }] of standing) {
        const isWanted = Object.entries(LISTS).some(
          ([name, told]) => told === method && honoured[name] === true,
        );
        if (isWanted) write({ jsonrpc: '2.0', method, params: stamp(id) });
      }
    },
    close() {
      for (const id of [...standing.keys()]) end(id);
    },
  };
}

export const LIST_NOTICES = Object.values(LISTS);
